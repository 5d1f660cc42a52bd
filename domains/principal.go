package domains

import (
	"crypto/sha256"
	"encoding/hex"
)

// Principal is who asks a back end. The zero Principal is this program itself. A
// Principal is for one request: nobody stores or logs it, except under its Key.
type Principal struct {
	// User is the stable id of a person or service, Email its address; at least one is
	// set for everybody but the program itself.
	User, Email string
	// Token lets a back end act as the user; empty where there is none. A new request
	// may bring a new one, so it is no part of the Key.
	Token string
}

// IsProgram reports whether the principal is this program itself.
func (p Principal) IsProgram() bool { return p.User == "" && p.Email == "" }

// Key is the same for all requests of one principal, differs between principals, and
// tells nothing about them; empty for the program itself. Sessions and caches are
// bound to it.
func (p Principal) Key() string {
	if p.IsProgram() {
		return ""
	}
	sum := sha256.Sum256([]byte(p.User + "\x00" + p.Email))
	return hex.EncodeToString(sum[:16])
}

// String never tells who it is: texts and logs may hold it by mistake.
func (p Principal) String() string {
	if p.IsProgram() {
		return "the program"
	}
	return "a user"
}

// GoString is String, for %#v.
func (p Principal) GoString() string { return p.String() }

// MarshalText is String, for log lines and JSON.
func (p Principal) MarshalText() ([]byte, error) { return []byte(p.String()), nil }
