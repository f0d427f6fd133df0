package report

import "strconv"

// Plots and the graph are drawn in units of their own, which a style sheet stretches: an SVG of a plot holds no text.
const (
	plotHeight  = 100 // units
	columnWidth = 10  // units, with the gap to the next one
	fewColumns  = 12  // a plot has room for so many, so that three iterations are not three walls
)

// drawing is a plot as shapes.
type drawing struct {
	Width, Height int
	Columns       []drawnColumn
}

// drawnColumn is one iteration's column.
type drawnColumn struct {
	Words string
	Bars  []bar
}

// bar is a rectangle. Numbers are written as SVG reads them.
type bar struct {
	Class               string
	X, Y, Width, Height string
}

// draw turns the numbers of a plot into rectangles. A value of zero is a line on the ground; what is not known is nothing at all.
func (p Plot) draw() drawing {
	d := drawing{Width: columnWidth * max(fewColumns, len(p.Columns)), Height: plotHeight}
	most := 0.0
	for _, c := range p.Columns {
		most = max(most, total(c.Values))
	}
	for n, c := range p.Columns {
		drawn := drawnColumn{Words: c.Words}
		x, top := columnWidth*n+1, float64(plotHeight)
		if len(c.Values) > 0 && total(c.Values) <= 0 {
			drawn.Bars = append(drawn.Bars, newBar("zero", x, plotHeight-1, 1))
		}
		for i, value := range c.Values {
			if value <= 0 || i >= len(p.Parts) {
				continue
			}
			height := max(1, value/most*(plotHeight-2))
			top -= height
			drawn.Bars = append(drawn.Bars, newBar(p.Parts[i].class(i), x, top, height))
		}
		d.Columns = append(d.Columns, drawn)
	}
	return d
}

// class is the style of a part, which is the n-th of its plot.
func (p Part) class(n int) string {
	if p.Mood != Plain {
		return string(p.Mood)
	}
	return "part" + strconv.Itoa(n%4)
}

func newBar(class string, x int, y, height float64) bar {
	return bar{Class: class, X: strconv.Itoa(x), Y: units(y), Width: strconv.Itoa(columnWidth - 2), Height: units(height)}
}

// units writes a length as SVG reads it.
func units(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += max(0, v)
	}
	return sum
}
