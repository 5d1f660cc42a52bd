package login_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ontogate/ontogate/domains/ontobricks/login"
)

// FuzzConfig reads any configuration file and holds that an error has a text for people
// and that no secret of the file is in it.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		config, "", "[DEV]", "[DEV\n" + patSecret, "token = " + patSecret, "[DEV]\ntoken = \"\"\"" + patSecret, "[DEV]\nhost=\\\n" + patSecret,
		"[DEV]\nhost = %(token)s\ntoken = " + patSecret, "[DEV]\nauth_type=databricks-cli\nhost=://", "[DEV]\r\nhost: a\r\ntoken: " + patSecret, "\xff\xfe[\x00D",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, config string) {
		for _, profile := range []string{"", "DEV"} {
			s, how, err := login.New(login.Settings{Home: home(t, config), Profile: profile, Command: func(context.Context, string, ...string) ([]byte, error) {
				return nil, errors.New("not run")
			}})
			if (s == nil) != (how == "") || s != nil && err != nil {
				t.Errorf("%v, %q, %v", s, how, err)
			}
			if err != nil {
				told(t, err)
			}
		}
	})
}
