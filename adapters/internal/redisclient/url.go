package redisclient

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// target is what a URL says.
type target struct {
	network, address   string
	username, password string
	database           int
	tls, skipVerify    bool
}

// supported are the options that a URL may have.
var supported = []string{"db", "skip_verify"}

// parse reads a URL. An option that has no effect is an error rather than a surprise.
func parse(address string) (target, error) {
	u, err := url.Parse(address)
	if err != nil {
		var unparsable *url.Error
		if errors.As(err, &unparsable) {
			err = unparsable.Err
		}
		return target{}, err
	}
	t := target{network: "tcp", username: u.User.Username()}
	t.password, _ = u.User.Password()
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return target{}, errors.New("its options can't be read")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(supported, name) {
			return target{}, fmt.Errorf("the option %q is not supported, only %s", name, strings.Join(supported, " and "))
		}
	}
	database := query.Get("db")
	switch u.Scheme {
	case "redis", "rediss":
		t.tls = u.Scheme == "rediss"
		t.address = net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), cmp.Or(u.Port(), "6379"))
		database = cmp.Or(database, strings.Trim(u.Path, "/"))
	case "unix":
		t.network, t.address = "unix", u.Path
		if t.address == "" {
			return target{}, errors.New("unix:// needs the path of a socket")
		}
	default:
		return target{}, errors.New("the scheme must be redis, rediss or unix")
	}
	if t.database, err = strconv.Atoi(cmp.Or(database, "0")); err != nil || t.database < 0 {
		return target{}, errors.New("the database must be a number")
	}
	if t.skipVerify, err = strconv.ParseBool(cmp.Or(query.Get("skip_verify"), "false")); err != nil || t.skipVerify && !t.tls {
		return target{}, errors.New("skip_verify must be true or false, and only rediss:// has it")
	}
	return t, nil
}
