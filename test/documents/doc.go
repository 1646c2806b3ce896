// Package documents holds README, ARCHITECTURE, CONTRIBUTING, SECURITY and the pages below
// docs to what they say: each block of code in them is an excerpt of what is compiled, or is
// run, or states what it would need to be. Nobody imports it.
//
// What a block is stands behind its language:
//
//	go file=PATH     lines of that file, which the compiler and its tests hold
//	js file=PATH     the same
//	js test=PATH     a test of that file runs it
//	sh run=dev       run beside a casino dev, page by page, in the order of the page
//	sh run=strangers run to the letter in a fresh clone by make strangers
//	sh needs="…"     not run: it needs what is stated; its syntax is checked, and its casino
//	                 commands are held against the program by cmd/casino
//	json, yaml       parsed
//	text             output and forms, for people
package documents
