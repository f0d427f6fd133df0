package main

import (
	"context"
	"runtime"
	"runtime/debug"
)

type versionCmd struct {
	answer
}

// version is what is known of this build; nil: unknown.
type version struct {
	Schema   int     `json:"schema"`
	Version  string  `json:"version"`
	Commit   *string `json:"commit"`
	Modified *bool   `json:"modified"` // there were changes beside the commit
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

// Run prints the version. It needs no repository.
func (c *versionCmd) Run(_ context.Context, a *app) error {
	v := thisVersion()
	if a.json {
		return a.printJSON(v)
	}
	commit := ""
	if v.Commit != nil {
		commit = ", commit " + *v.Commit
		if v.Modified != nil && *v.Modified {
			commit += " with changes"
		}
	}
	return a.print("git-ralph %s%s (%s, %s)", v.Version, commit, v.Go, v.Platform)
}

// thisVersion reads what the build left in the program.
func thisVersion() version {
	v := version{Schema: jsonSchema, Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = &s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			v.Modified = &modified
		}
	}
	return v
}
