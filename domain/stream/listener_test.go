package stream_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/wallet"
)

func sol(n int64) money.Amount { return money.Amount(n) }

// TestPlayersReceiveNothingOfAdmins fills every field of all data with values that
// players must not receive if they are an admin's.
func TestPlayersReceiveNothingOfAdmins(t *testing.T) {
	t.Parallel()
	for _, entry := range stream.Catalogue() {
		if entry.Holds == nil {
			continue
		}
		data := reflect.New(reflect.TypeOf(entry.Holds)).Elem()
		filled(data)
		e := stream.Event{ID: "1", Type: entry.Type, Subject: "s", Wallet: alice, Agent: "inner", At: at, Data: data.Interface().(stream.Data)}
		before := fmt.Sprintf("%+v", e)
		own, theirs := e.Own(alice)
		if theirs != (entry.Audience != stream.Admins) {
			t.Errorf("%s is a player's: %v", entry.Type, theirs)
		}
		for _, other := range []wallet.Address{bob, ""} {
			if _, heard := e.Own(other); heard != (entry.Audience == stream.Everybody) {
				t.Errorf("%s: %q hears of alice", entry.Type, other)
			}
		}
		if shown := fmt.Sprintf("%+v", own); theirs && (strings.Contains(shown, string(ada)) || strings.Contains(shown, "inner")) {
			t.Errorf("%s tells a player %s", entry.Type, shown)
		}
		if after := fmt.Sprintf("%+v", e); after != before {
			t.Errorf("%s was changed: %s", entry.Type, after)
		}
	}
}

// filled puts the admin's wallet into wallets, and "inner" into fields for admins only.
func filled(v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(at))
		return
	case game.Value:
		v.Set(reflect.ValueOf(game.Text("shown")))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			of := v.Field(i)
			filled(of)
			if inner := map[string]bool{"Site": true, "Residue": true, "TxnID": true, "Connection": true, "From": true, "Record": true, "Agent": true}; inner[field] && of.Kind() == reflect.String {
				of.SetString("inner")
			}
			if v.Type() == reflect.TypeFor[seamless.Transaction]() && field == "Reason" {
				of.SetString("inner")
			}
			if field == "Wallet" && of.Kind() == reflect.String {
				of.SetString(string(alice))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0))
	case reflect.String:
		if v.SetString("text"); v.Type() == reflect.TypeFor[wallet.Address]() {
			v.SetString(string(ada))
		}
	case reflect.Bool:
		v.SetBool(true)
	default:
		if v.CanInt() {
			v.SetInt(7)
		}
	}
}

func TestPlayersReceiveTheirOwnActions(t *testing.T) {
	t.Parallel()
	limited := stream.Event{Type: stream.PlayerLimited, Wallet: alice, Data: stream.Player{By: alice, Record: "q1"}}
	if own, ok := limited.Own(alice); !ok || own.Data.(stream.Player).By != alice || own.Data.(stream.Player).Record != "q1" {
		t.Errorf("%+v, %v", own, ok)
	}
	refused := stream.Event{Type: stream.ProviderTransaction, Wallet: alice, Data: stream.Provided{Transaction: seamless.Transaction{Status: seamless.Refused}}}
	if own, ok := refused.Own(alice); ok {
		t.Errorf("%+v", own)
	}
	restored := stream.Event{Type: stream.LedgerRestored}
	if _, ok := restored.Own(alice); !ok {
		t.Error("nobody hears that the ledger was restored")
	}
}

// TestNoDataHasASeed: no data type of an event has a field for a server seed.
func TestNoDataHasASeed(t *testing.T) {
	t.Parallel()
	var look func(of reflect.Type, path string)
	seen := map[reflect.Type]bool{}
	look = func(of reflect.Type, path string) {
		if of == reflect.TypeFor[fairness.ServerSeed]() || strings.HasSuffix(path, "ServerSeed") {
			t.Errorf("%s is a server seed", path)
		}
		if of.Kind() == reflect.Struct && seen[of] {
			return
		}
		seen[of] = true
		switch {
		case of == reflect.TypeFor[time.Time]() || of == reflect.TypeFor[game.Value]():
		case of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer:
			look(of.Elem(), path)
		case of.Kind() == reflect.Struct:
			for i := range of.NumField() {
				look(of.Field(i).Type, path+"."+of.Field(i).Name)
			}
		}
	}
	for _, e := range stream.Catalogue() {
		if e.Holds != nil {
			look(reflect.TypeOf(e.Holds), string(e.Type))
		}
	}
}

// TestThePlayerOfASiteIsShownNoBalanceHere also checks that the site's address isn't
// shown.
func TestThePlayerOfASiteIsShownNoBalanceHere(t *testing.T) {
	t.Parallel()
	at := seamless.Transaction{Status: seamless.Taken, Site: "https://site.example", Balance: 5, Win: 7}
	e := stream.Event{Type: stream.ProviderTransaction, Wallet: alice, Data: stream.Provided{Transaction: at}}
	own, ok := e.Own(alice)
	if got := own.Data.(stream.Provided); !ok || got.Site == "" || got.Site == at.Site || got.Balance != 0 || got.Win != 7 {
		t.Errorf("%+v, %v", own, ok)
	}
}
