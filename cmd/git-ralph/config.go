package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// configCmd shows the configuration.
type configCmd struct {
	answer
	Settings loopFlags  `embed:""`
	Place    placeFlags `embed:""`
}

// configJSON is the answer of config.
type configJSON struct {
	Schema int           `json:"schema"`
	Values []settingJSON `json:"values"`
}

// settingJSON is one value and where it came from.
type settingJSON struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`  // null for a variable: values are nowhere shown
	Source string `json:"source"` // "flag", "default", or file and line
}

// Run shows what start would use here. Outside of a repository it is what the user's own file says.
func (c *configCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if errors.Is(err, gitstate.ErrNotRepository) || errors.Is(err, gitstate.ErrBare) {
		repo, err = nil, nil
	}
	if err != nil {
		return err
	}
	chosen, err := a.choose(repo, &c.Settings)
	if err != nil {
		return err
	}
	values := configValues(chosen)
	if a.json {
		return a.printJSON(configJSON{Schema: jsonSchema, Values: values})
	}
	var rows [][]string
	for _, v := range values {
		rows = append(rows, []string{v.Key + " = " + tomlValue(v.Value), lookOf(a.outTerm).faint(v.Source)})
	}
	for _, line := range columns(rows) {
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// configValues lists all settings in their order, then the variables by name.
func configValues(c choices) []settingJSON {
	var values []settingJSON
	for _, s := range settings() {
		if s.key != "env" {
			values = append(values, settingJSON{Key: s.key, Value: s.show(c), Source: c.from[s.key].String()})
		}
	}
	for _, name := range slices.Sorted(slices.Values(c.Env)) {
		values = append(values, settingJSON{Key: "env." + name, Source: c.from["env."+name].String()})
	}
	return values
}

// tomlValue writes a value as a configuration file would.
func tomlValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "***"
	case string:
		return strconv.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		var pairs []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			pairs = append(pairs, key+" = "+tomlValue(v[key]))
		}
		return "{" + strings.Join(pairs, ", ") + "}"
	case []string:
		quoted := make([]string, len(v))
		for i, one := range v {
			quoted[i] = strconv.Quote(one)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return ""
}
