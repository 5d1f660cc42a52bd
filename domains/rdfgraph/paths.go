package rdfgraph

import (
	"fmt"
	"net/url"
	"path"
	"runtime"
	"strings"
)

// CleanDir is the path of a folder as people write it in client configurations:
// with forward slashes or backslashes on Windows, a slash behind, quotes around, as a
// file: URL, with ~ for the home folder, or as Git Bash writes drives (/c/Users). home
// is the home folder, empty when there is none. What can't be a path on this system
// is returned as it is; New says what is wrong with it.
func CleanDir(home, arg string) string {
	dir, err := cleanDir(runtime.GOOS, home, arg)
	if err != nil {
		return arg
	}
	return dir
}

// cleanDir is CleanDir for an operating system and a home folder, which is empty
// when there is none. It looks at the text alone. Errors say what to write instead.
func cleanDir(goos, home, arg string) (string, error) {
	windows := goos == "windows"
	dir := unquote(strings.TrimSpace(arg))
	if dir == "" {
		return "", fmt.Errorf("the folder's path is empty")
	}
	if len(dir) >= len("file:") && strings.EqualFold(dir[:len("file:")], "file:") {
		var err error
		if dir, err = fromURL(windows, dir); err != nil {
			return "", err
		}
	}
	if strings.ContainsRune(dir, 0) {
		return "", fmt.Errorf("the folder's path %q holds a NUL character", arg)
	}
	if windows {
		dir = strings.ReplaceAll(dir, `\`, "/")
	} else if isDrive(dir) && len(dir) > 2 && (dir[2] == '\\' || dir[2] == '/') || strings.HasPrefix(dir, `\\`) {
		return "", fmt.Errorf("%q is a Windows path and this system is %s: write it as it is called here", arg, goos)
	}
	if dir[0] == '~' {
		if len(dir) > 1 && dir[1] != '/' {
			return "", fmt.Errorf("%q: only ~ for one's own home folder is understood: write the whole path", arg)
		}
		if home == "" {
			return "", fmt.Errorf("%q: this user has no home folder: write the whole path", arg)
		}
		dir = home + dir[1:]
		if windows {
			dir = strings.ReplaceAll(dir, `\`, "/")
		}
	}
	if windows {
		return cleanWindows(dir), nil
	}
	return path.Clean(dir), nil
}

// unquote drops one pair of quotes that a configuration left around a path.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// fromURL is the path of a file: URL (RFC 8089). Where the URL is not well formed,
// as "file:///C:\My Graphs", it is taken as written.
func fromURL(windows bool, raw string) (string, error) {
	rest := strings.ReplaceAll(raw[len("file:"):], `\`, "/")
	host := ""
	if authority, isURL := strings.CutPrefix(rest, "//"); isURL {
		if authority == "" {
			return "", fmt.Errorf("%q holds no path: write file:///path", raw)
		}
		host, rest, _ = strings.Cut(authority, "/")
		rest = "/" + rest
		if isDrive(host) { // file://C:/Users, which is wrong and common
			host, rest = "", "/"+host+rest
		}
	}
	if decoded, err := url.PathUnescape(rest); err == nil {
		rest = decoded
	}
	if local := strings.TrimPrefix(rest, "/"); isDrive(local) {
		rest = local
	}
	switch {
	case host == "" || strings.EqualFold(host, "localhost"):
	case windows:
		return "//" + host + rest, nil
	default:
		return "", fmt.Errorf("%q names the host %q: only folders of this machine can be opened, as file:///path", raw, host)
	}
	if rest == "" {
		return "", fmt.Errorf("%q holds no path: write file:///path", raw)
	}
	return rest, nil
}

// cleanWindows turns a path with forward slashes into a clean Windows path.
func cleanWindows(dir string) string {
	if len(dir) >= 2 && dir[0] == '/' && isLetter(dir[1]) && (len(dir) == 2 || dir[2] == '/') { // /c/Users
		dir = strings.ToUpper(dir[1:2]) + ":/" + strings.TrimPrefix(dir[2:], "/")
	}
	volume := ""
	switch {
	case strings.HasPrefix(dir, "//"): // \\server\share
		volume, dir = "/", dir[1:]
	case isDrive(dir):
		volume, dir = dir[:2], dir[2:]
	}
	if dir == "" {
		return volume + "." // the current folder of a drive
	}
	return strings.ReplaceAll(volume+path.Clean(dir), "/", `\`)
}

// isDrive reports whether a path begins with a drive letter and a colon.
func isDrive(s string) bool {
	return len(s) >= 2 && isLetter(s[0]) && s[1] == ':' && (len(s) == 2 || s[2] == '/' || s[2] == '\\')
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
