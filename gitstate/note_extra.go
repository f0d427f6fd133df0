package gitstate

// What a note holds that this version does not know is kept: when a note is read, what its known values would be
// written as is subtracted from what was read, and the rest is merged in when the note is written again.

// leftovers is what subtract left of a list of tables, element by element.
type leftovers []map[string]any

// subtract returns what is in a table but has no place in another, and nil when nothing is left.
func subtract(table, known map[string]any) map[string]any {
	left := map[string]any{}
	for key, v := range table {
		other, isKnown := known[key]
		if !isKnown {
			left[key] = v
			continue
		}
		if rest := subtractValue(v, other); rest != nil {
			left[key] = rest
		}
	}
	if len(left) == 0 {
		return nil
	}
	return left
}

func subtractValue(v, known any) any {
	switch v := v.(type) {
	case map[string]any:
		k, isTable := known.(map[string]any)
		if rest := subtract(v, k); isTable && rest != nil {
			return rest
		}
	case []map[string]any:
		k, _ := known.([]map[string]any)
		if len(k) != len(v) {
			return nil
		}
		rests, some := make(leftovers, len(v)), false
		for i := range v {
			rests[i] = subtract(v[i], k[i])
			some = some || rests[i] != nil
		}
		if some {
			return rests
		}
	}
	return nil
}

// merge puts into a table what subtract left of another one. What the table has itself stays. What was left of a list
// goes into a list of the same length only.
func merge(table, left map[string]any) {
	for key, v := range left {
		own, has := table[key]
		switch v := v.(type) {
		case leftovers:
			if own, ok := own.([]map[string]any); ok && len(own) == len(v) {
				for i := range v {
					merge(own[i], v[i])
				}
			}
			continue
		case map[string]any:
			if own, ok := own.(map[string]any); ok {
				merge(own, v)
			} else if !has {
				own := map[string]any{}
				merge(own, v)
				table[key] = own
			}
			continue
		}
		if !has {
			table[key] = v
		}
	}
}
