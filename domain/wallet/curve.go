package wallet

import (
	"math/big"
	"slices"
)

// The curve of RFC 8032: -x² + y² = 1 + d·x²·y² over the field of p = 2^255-19.
var (
	fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	curveD     = func() *big.Int {
		inverse := new(big.Int).ModInverse(big.NewInt(121666), fieldPrime)
		d := new(big.Int).Mul(big.NewInt(-121665), inverse)
		return d.Mod(d, fieldPrime)
	}()
)

// onCurve reports whether the bytes are the canonical encoding of a point
// (RFC 8032, section 5.1.3): y below p, and x² = (y²-1)/(d·y²+1) a square.
func onCurve(raw [32]byte) bool {
	sign := raw[31] >> 7
	raw[31] &= 0x7f
	slices.Reverse(raw[:])
	y := new(big.Int).SetBytes(raw[:])
	if y.Cmp(fieldPrime) >= 0 {
		return false
	}
	ySquare := new(big.Int).Mul(y, y)
	ySquare.Mod(ySquare, fieldPrime)
	numerator := new(big.Int).Sub(ySquare, big.NewInt(1))
	denominator := new(big.Int).Mul(curveD, ySquare)
	denominator.Add(denominator, big.NewInt(1)).Mod(denominator, fieldPrime)
	// d is no square, so d·y²+1 is never zero and u·v is a square exactly when u/v is.
	xSquare := numerator.Mul(numerator, denominator)
	xSquare.Mod(xSquare, fieldPrime)
	if xSquare.Sign() == 0 {
		return sign == 0 // x = 0 has no negative: that encoding is not canonical
	}
	return big.Jacobi(xSquare, fieldPrime) == 1
}

// smallOrderY holds the y coordinates of the eight points of order 1, 2, 4 and
// 8, little-endian with the sign bit clear: the table of libsodium's
// ge25519_has_small_order without its non-canonical rows, which onCurve refuses.
var smallOrderY = [...][32]byte{
	{0x00}, // order 4
	{0x01}, // order 1
	{ // order 8
		0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
		0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
	},
	{ // order 8
		0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
		0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
	},
	{ // p-1, order 2
		0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
	},
}

func smallOrder(raw [32]byte) bool {
	raw[31] &= 0x7f
	return slices.Contains(smallOrderY[:], raw)
}
