// Package bench is a load on a casino from outside: clients that send it requests over
// HTTP, look at each answer, and measure.
//
// `casino bench` runs it. It knows the public contract alone, costs little (its clients
// write their requests themselves and read answers without reflection), and sends
// nothing but what a Plan says. Players are the caller's to make and to fund.
package bench
