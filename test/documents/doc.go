// Package documents checks README, ARCHITECTURE, CONTRIBUTING, SECURITY and the pages below docs:
// each code block is an excerpt of compiled code, or is run, or states what it would need. No
// package imports it.
//
// The kind of a block follows its language:
//
//	go file=PATH     lines of that file, which the compiler and its tests check
//	js file=PATH     the same
//	js test=PATH     a test of that file runs it
//	sh run=dev       run beside a casino dev, page by page, in the order of the page
//	sh run=strangers run to the letter in a fresh clone by make strangers
//	sh needs="…"     not run: it needs what is stated; its syntax is checked, and cmd/casino
//	                 checks its casino commands against the program
//	json, yaml       parsed
//	text             output and forms, for people
package documents
