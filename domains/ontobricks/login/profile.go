package login

import "gopkg.in/ini.v1"

var readProfiles = ini.Load
