package login

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"gopkg.in/ini.v1"

	"github.com/ontogate/ontogate/domains"
)

const (
	defaultProfile = "DEFAULT"
	mostConfig     = 1 << 20 // bytes of a configuration file
)

// profile takes credentials from the configuration file; nil when there are none and
// none were named.
func (s Settings) profile() (c *credentials, how string, err error) {
	name := s.Profile
	if name == "" {
		name = defaultProfile
	}
	c, err = s.read(name)
	if err != nil || c == nil {
		return nil, "", err
	}
	return c, fmt.Sprintf("profile %s (%s)", name, typeNames[c.kind]), nil
}

// read reads one profile. The profile DEFAULT that nobody named is left alone where it
// is not there, not complete, or of another host than DATABRICKS_HOST.
func (s Settings) read(name string) (*credentials, error) {
	file, err := s.config()
	if err != nil || file == nil {
		return nil, err
	}
	section, err := file.GetSection(name)
	if err != nil {
		if s.Profile == "" {
			return nil, nil
		}
		return nil, domains.Invalid(fmt.Sprintf("There is no profile '%s' in the Databricks configuration file. Check --profile (DATABRICKS_CONFIG_PROFILE), or run databricks auth login --profile %s.", name, name))
	}
	value := func(key string) string { return section.Key(key).Value() }
	c := &credentials{
		kind: value("auth_type"), id: value("client_id"), secret: value("client_secret"),
		token: value("token"), account: value("account_id"), profile: name,
	}
	if err := s.complete(c, value("host")); err != nil {
		if s.Profile == "" {
			s.Logger.Info("the profile DEFAULT is not used", "because", err.Error())
			return nil, nil
		}
		return nil, err
	}
	return c, nil
}

// complete decides how the credentials of a profile are used, and refuses those of which
// a part is missing.
func (s Settings) complete(c *credentials, host string) error {
	bad := func(format string, args ...any) error {
		return domains.Invalid(fmt.Sprintf("Profile '%s' of the Databricks configuration file ", c.profile) + fmt.Sprintf(format, args...))
	}
	var err error
	if c.host, err = address(host, c.place("", "The host")); err != nil {
		return err
	}
	if wanted, _ := address(s.Host, ""); wanted != "" && c.host != "" && wanted != c.host {
		return bad("is for another host than DATABRICKS_HOST. Unset one of them.")
	} else if c.host == "" {
		c.host = wanted
	}
	if s.AuthType != "" {
		c.kind = s.AuthType
	}
	switch {
	case c.kind != "":
	case c.id+c.secret != "":
		c.kind = typeOAuth
	case c.token != "":
		c.kind = typePAT
	default:
		return bad("has no credentials: it needs client_id and client_secret, or token, or auth_type = databricks-cli.")
	}
	need := map[string][]struct{ key, value string }{
		typeOAuth: {{"host", c.host}, {"client_id", c.id}, {"client_secret", c.secret}},
		typePAT:   {{"token", c.token}},
		typeCLI:   {{"host", c.host}},
	}
	if need[c.kind] == nil {
		return bad("has auth_type '%s', which is not known here: use oauth-m2m, pat or databricks-cli.", c.kind)
	}
	for _, n := range need[c.kind] {
		if n.value == "" {
			return bad("has no %s, which %s needs. Add it, or choose another profile with --profile (DATABRICKS_CONFIG_PROFILE).", n.key, c.kind)
		}
	}
	return nil
}

// config reads the configuration file; nil when there is none and none was named. The
// errors of the ini package hold lines of the file, and lines hold secrets: they are
// never shown.
func (s Settings) config() (*ini.File, error) {
	name := s.ConfigFile
	if name == "" && s.Home != "" {
		name = filepath.Join(s.Home, ".databrickscfg")
	}
	if name == "" {
		if s.Profile == "" {
			return nil, nil
		}
		return nil, domains.Invalid("A profile is named, and there is no home directory with a .databrickscfg: set DATABRICKS_CONFIG_FILE.")
	}
	data, err := readBounded(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.ConfigFile == "" && s.Profile == "":
		return nil, nil
	case errors.Is(err, fs.ErrNotExist) && s.ConfigFile != "":
		return nil, domains.Invalid("The file that DATABRICKS_CONFIG_FILE names does not exist. Correct it, or unset it to use .databrickscfg of the home directory.")
	case errors.Is(err, fs.ErrNotExist):
		return nil, domains.Invalid(fmt.Sprintf("There is no profile '%s': the home directory has no .databrickscfg. Run databricks auth login --profile %s, or set DATABRICKS_CONFIG_FILE.", s.Profile, s.Profile))
	case err != nil:
		return nil, domains.Invalid("The Databricks configuration file cannot be read. Check its permissions, or set DATABRICKS_CONFIG_FILE to another.")
	}
	file, err := ini.Load(data)
	if err != nil {
		return nil, domains.Invalid("The Databricks configuration file has a line that is neither [profile], key = value nor a comment. Correct it.")
	}
	return file, nil
}

func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostConfig+1))
	if err == nil && len(data) > mostConfig {
		err = errors.New("too large")
	}
	return data, err
}
