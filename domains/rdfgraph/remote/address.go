package remote

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// Check reads the URL of a function. The text of its error stands behind the URL: "has no
// host".
func Check(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return nil, errors.New("is no URL: write one such as https://functions.example.org/risk")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("does not begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("has no host")
	case u.User != nil:
		return nil, errors.New("holds a user name or password, which do not belong into a file that many read: leave them out")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return nil, errors.New("has a part behind #, which is never sent: leave it out")
	}
	return u, nil
}

// Host is the host of a function's URL with the port that it is asked at, as a list of
// allowed hosts may name it.
func Host(u *url.URL) string {
	if u.Port() == "" {
		return u.Host
	}
	return net.JoinHostPort(u.Hostname(), u.Port())
}

// Allows reports whether the host of a URL is among those of Config.Hosts.
func (c *Client) Allows(u *url.URL) bool {
	asked := address{strings.ToLower(u.Hostname()), portOf(u)}
	for _, h := range c.hosts {
		if h.name == asked.name && (h.port == "" || h.port == asked.port) {
			return true
		}
	}
	return false
}

// address is a host in lower case and without brackets; an empty port is every port.
type address struct{ name, port string }

func addressOf(s string) address {
	s = strings.TrimSpace(s)
	name, port, err := net.SplitHostPort(s)
	if err != nil {
		name, port = s, ""
	}
	return address{strings.ToLower(strings.Trim(name, "[]")), port}
}

// portOf is the port that a URL is asked at.
func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}
