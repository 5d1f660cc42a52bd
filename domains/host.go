package domains

import (
	"net/netip"
	"strings"
)

// IsLoopback reports whether a host, without a port, is this machine, told by its name
// alone.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
