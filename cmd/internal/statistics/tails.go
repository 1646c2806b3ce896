package statistics

import "math"

// converged is the relative change at which a series or fraction ends, and terms its
// maximum number of terms.
const converged, terms = 1e-14, 100_000

// upperGamma returns the regularized upper incomplete gamma function Q(a, x), by its series
// below a+1 (DLMF 8.11.4) and its continued fraction above (DLMF 8.9.2, Lentz's method).
func upperGamma(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	logGamma, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - logGamma)
	if x < a+1 {
		sum, term := 1/a, 1/a
		for n := 1.0; n < terms && term > sum*converged; n++ {
			term *= x / (a + n)
			sum += term
		}
		return 1 - front*sum
	}
	return front * continuedFraction(x+1-a, func(n float64) (float64, float64) { return -n * (n - a), x + 2*n + 1 - a })
}

// continuedFraction returns 1/(b0 + a1/(b1 + a2/(b2 + …))) by Lentz's method.
func continuedFraction(b0 float64, next func(n float64) (a, b float64)) float64 {
	const tiny = 1e-300
	apart := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	d := 1 / apart(b0)
	c, value := 1/tiny, d
	for n := 1.0; n < terms; n++ {
		a, b := next(n)
		d = 1 / apart(b+a*d)
		c = apart(b + a/c)
		value *= c * d
		if math.Abs(c*d-1) < converged {
			break
		}
	}
	return value
}

// incompleteBeta returns the regularized incomplete beta function I_x(a, b), by its
// continued fraction (DLMF 8.17.22) on the side where it converges fast.
func incompleteBeta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - incompleteBeta(1-x, b, a)
	}
	both, _ := math.Lgamma(a + b)
	one, _ := math.Lgamma(a)
	other, _ := math.Lgamma(b)
	front := math.Exp(both - one - other + a*math.Log(x) + b*math.Log1p(-x))
	return front / a * continuedFraction(1, func(n float64) (float64, float64) {
		m := math.Floor(n / 2)
		if int(n)%2 == 0 {
			return m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)), 1
		}
		return -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1)), 1
	})
}

// twoSided doubles the smaller tail.
func twoSided(low, high float64) float64 { return min(1, 2*max(0, min(low, high))) }
