package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
)

// machineInfo says where a run was made and what else ran there. What is not known is
// empty.
type machineInfo struct {
	CPU    string `json:"cpu,omitempty"`
	Cores  int    `json:"cores"`
	Memory string `json:"memory,omitempty"`
	System string `json:"system"`
	Go     string `json:"go"`
	// Programs are the versions of what is compared with.
	Programs []string `json:"programs,omitempty"`
	// LoadBefore and LoadAfter are the system's load averages.
	LoadBefore string `json:"load_before,omitempty"`
	LoadAfter  string `json:"load_after,omitempty"`
}

func machine(ctx context.Context) machineInfo {
	m := machineInfo{Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), LoadBefore: loadAverages()}
	m.CPU = fieldOf("/proc/cpuinfo", `(?m)^model name\s*: (.*)$`)
	if kb := fieldOf("/proc/meminfo", `(?m)^MemTotal:\s*(\d+) kB$`); kb != "" {
		var n int64
		if _, err := fmt.Sscan(kb, &n); err == nil {
			m.Memory = fmt.Sprintf("%.0f GB", float64(n)*1024/1e9)
		}
	}
	for _, p := range [][]string{{"serdi", "-v"}, {"rapper", "--version"}, {"node", "--version"}} {
		if text, err := exec.CommandContext(ctx, p[0], p[1:]...).CombinedOutput(); err == nil {
			if version := regexp.MustCompile(`\d+(\.\d+)+`).FindString(string(text)); version != "" {
				m.Programs = append(m.Programs, p[0]+" "+version)
			}
		}
	}
	m.Programs = append(m.Programs, "go-sdk "+sdkVersion, memoryPackage)
	return m
}

// after notes what ran at the end.
func (m *machineInfo) after() { m.LoadAfter = loadAverages() }

// loadAverages are the system's over one, five and fifteen minutes.
func loadAverages() string { return fieldOf("/proc/loadavg", `^(\S+ \S+ \S+)`) }

// fieldOf is the first group of a pattern in a file; empty where there is none.
func fieldOf(path, pattern string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if m := regexp.MustCompile(pattern).FindSubmatch(text); m != nil {
		return strings.TrimSpace(string(m[1]))
	}
	return ""
}
