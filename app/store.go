package app

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/casino-service/casino/app/admin"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/seal"
)

// StoreOf returns a Store that uses s for every port.
func StoreOf(s kernel.Ports) kernel.Store {
	var store kernel.Store
	fields := reflect.ValueOf(&store).Elem()
	for i := range fields.NumField() {
		fields.Field(i).Set(reflect.ValueOf(s))
	}
	return store
}

// missing returns an error that names each required field that is nil.
func (d Deps) missing() error {
	var all []error
	require := func(name string, field any) {
		if field == nil {
			all = append(all, fmt.Errorf("app: Deps.%s is missing", name))
		}
	}
	store := reflect.ValueOf(d.Store)
	for i := range store.NumField() {
		require("Store."+store.Type().Field(i).Name, store.Field(i).Interface())
	}
	require("Chain", d.Chain)
	require("Clock", d.Clock)
	require("Entropy", d.Entropy)
	require("Sessions", d.Sessions)
	if d.Games == nil {
		all = append(all, errors.New("app: Deps.Games is missing"))
	}
	return errors.Join(all...)
}

// sealRoles wraps the ports of roles and decisions so that they use the sealed list.
func (d *Deps) sealRoles() {
	if seal.Off(d.Authenticator) {
		return
	}
	if d.RoleVersions == nil {
		d.RoleVersions = &admin.RoleVersionsOfProcess{}
	}
	sealed := admin.SealedRoles{Lists: d.Store.RoleLists, Seals: d.Authenticator, Versions: d.RoleVersions}
	d.Store.Roles, d.Store.Writer = sealed, admin.RoleWriter{Writer: d.Store.Writer, Roles: sealed}
}
