package jwttoken_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fault"
)

// TestForgedTokensAreRefused is a table of attacks. Each row is signed with the right key
// unless it says otherwise, so that only its own fault can be the reason of the refusal.
// The first rows show that the forger can make valid tokens.
func TestForgedTokensAreRefused(t *testing.T) {
	t.Parallel()
	w := open(t, entry("k1"), entry("k2"))
	claims := object(goodClaims(w))
	good := forge(goodHeader, claims)
	for name, bearer := range map[string]string{
		"as issued":         good,
		"members reordered": forge(`{"typ":"JWT","kid":"k1","alg":"HS256"}`, claims),
		"with white space":  forge("{ \"alg\": \"HS256\",\n\"kid\":\"k1\",\"typ\":\"JWT\" }", claims),
		"the second key":    sign(sha256.New, secretOf("k2"), strings.Replace(goodHeader, "k1", "k2", 1), claims),
	} {
		if _, err := w.Verify(bearer); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, group := range []map[string]string{
		badShapes(good), badAlgorithms(claims), badKeyIDs(claims), badHeaders(claims), badTimes(w), badClaims(w),
	} {
		for name, bearer := range group {
			if session, err := w.Verify(bearer); !fault.Is(err, fault.InvalidToken) {
				t.Errorf("%s: %+v, %v", name, session, err)
			}
		}
	}
}

func badShapes(good string) map[string]string {
	parts := strings.Split(good, ".")
	header, claims, signature := parts[0], parts[1], parts[2]
	return map[string]string{
		"empty":              "",
		"a word":             "undefined",
		"two dots":           "..",
		"one part":           header,
		"two parts":          header + "." + claims,
		"no signature":       header + "." + claims + ".",
		"no header":          "." + claims + "." + signature,
		"no claims":          header + ".." + signature,
		"four parts":         good + "." + signature,
		"JWE, five parts":    good + "..",
		"dot in front":       "." + good,
		"cut by one":         good[:len(good)-1],
		"signature doubled":  good + signature,
		"padded":             good + "=",
		"space behind":       good + " ",
		"space in front":     " " + good,
		"line end behind":    good + "\n",
		"line end inside":    good[:20] + "\r\n" + good[20:],
		"line end in sig":    good[:len(good)-5] + "\n" + good[len(good)-5:],
		"NUL behind":         good + "\x00",
		"Bearer in it":       "Bearer " + good,
		"standard base64":    strings.NewReplacer("-", "+", "_", "/").Replace(good) + "+",
		"unused bits set":    lastBits(good),
		"parts swapped":      claims + "." + header + "." + signature,
		"JSON serialization": `{"payload":"` + claims + `","signature":"` + signature + `"}`,
		"payload swapped":    header + "." + encode(`{"sub":"x"}`) + "." + signature,
	}
}

// lastBits sets a bit of the last character that decoding would drop: 32 bytes are 43
// characters, and two bits of the last one are unused.
func lastBits(bearer string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(digits, bearer[len(bearer)-1])
	return bearer[:len(bearer)-1] + digits[last|1:last|1+1]
}

func badAlgorithms(claims string) map[string]string {
	rows := map[string]string{}
	for _, name := range []string{"none", "None", "NONE", "nOnE", "", "hs256", "HS256 ", "HS384", "HS512", "RS256", "ES256", "PS256", "EdDSA"} {
		header := fmt.Sprintf(`{"alg":%q,"kid":"k1","typ":"JWT"}`, name)
		rows["alg "+name] = forge(header, claims)
		rows["alg "+name+" unsigned"] = encode(header) + "." + encode(claims) + "."
	}
	rows["HS384 signed so"] = sign(sha384, secretOf("k1"), `{"alg":"HS384","kid":"k1","typ":"JWT"}`, claims)
	rows["HS512 signed so"] = sign(sha512Sum, secretOf("k1"), `{"alg":"HS512","kid":"k1","typ":"JWT"}`, claims)
	rows["HS256 signed with SHA-512"] = sign(sha512Sum, secretOf("k1"), goodHeader, claims)
	rows["no alg"] = forge(`{"kid":"k1","typ":"JWT"}`, claims)
	rows["alg null"] = forge(`{"alg":null,"kid":"k1","typ":"JWT"}`, claims)
	rows["alg a list"] = forge(`{"alg":["HS256"],"kid":"k1","typ":"JWT"}`, claims)
	rows["the empty secret"] = sign(sha256.New, nil, goodHeader, claims)
	rows["another key of ours"] = sign(sha256.New, secretOf("k2"), goodHeader, claims)
	return rows
}

func badKeyIDs(claims string) map[string]string {
	rows := map[string]string{
		"no kid":        forge(`{"alg":"HS256","typ":"JWT"}`, claims),
		"kid null":      forge(`{"alg":"HS256","kid":null,"typ":"JWT"}`, claims),
		"kid a number":  forge(`{"alg":"HS256","kid":1,"typ":"JWT"}`, claims),
		"kid a list":    forge(`{"alg":"HS256","kid":["k1"],"typ":"JWT"}`, claims),
		"kid an object": forge(`{"alg":"HS256","kid":{"k1":"k1"},"typ":"JWT"}`, claims),
	}
	for _, kid := range []string{
		"", "k", "k3", "K1", "k1 ", "k1\x00", "../../dev/null", "/dev/null", "k1' OR '1'='1", "x' UNION SELECT 'secret' --",
		"k1;sleep 5", "http://127.0.0.1/k1", "__proto__", strings.Repeat("k", 1000), strings.Repeat("k1", 5000),
	} {
		header := fmt.Sprintf(`{"alg":"HS256","kid":%s,"typ":"JWT"}`, quote(kid))
		rows["kid "+kid] = forge(header, claims)
		rows["kid "+kid+", empty secret"] = sign(sha256.New, nil, header, claims)
	}
	return rows
}

func quote(text string) string { return `"` + strings.ReplaceAll(text, "\x00", `\u0000`) + `"` }

func badHeaders(claims string) map[string]string {
	rows := map[string]string{}
	for name, member := range map[string]string{
		"jku":              `"jku":"https://attacker.example/keys.json"`,
		"x5u":              `"x5u":"https://attacker.example/cert.pem"`,
		"x5c":              `"x5c":["MIIB"]`,
		"jwk":              `"jwk":{"kty":"oct","k":"AAAA"}`,
		"crit":             `"crit":["exp"]`,
		"crit empty":       `"crit":[]`,
		"b64 false":        `"b64":false`,
		"b64 true":         `"b64":true`,
		"crit b64":         `"crit":["b64"],"b64":false`,
		"zip":              `"zip":"DEF"`,
		"enc":              `"enc":"A256GCM"`,
		"cty":              `"cty":"JWT"`,
		"unknown":          `"foo":1`,
		"alg twice":        `"alg":"HS256"`,
		"kid twice":        `"kid":"k1"`,
		"alg escaped":      `"\u0061lg":"HS256"`,
		"ALG":              `"ALG":"none"`,
		"typ twice":        `"typ":"JWT"`,
		"a trailing thing": `"typ":"JWT"} {"a":1`,
	} {
		rows["header "+name] = forge(strings.TrimSuffix(goodHeader, "}")+","+member+"}", claims)
	}
	for name, header := range map[string]string{
		"null": `null`, "empty": ``, "list": `[]`, "text": `"HS256"`, "number": `1`, "object": `{}`,
		"cut":          `{"alg":"HS256"`,
		"other typ":    `{"alg":"HS256","kid":"k1","typ":"at+jwt"}`,
		"typ in small": `{"alg":"HS256","kid":"k1","typ":"jwt"}`,
		"no typ":       `{"alg":"HS256","kid":"k1"}`,
		"BOM":          "\ufeff" + goodHeader,
		"not UTF-8":    "{\"alg\":\"HS256\",\"kid\":\"k1\",\"typ\":\"JWT\xff\"}",
		"more behind":  goodHeader + `{}`,
	} {
		rows["header is "+name] = forge(header, claims)
	}
	unencoded := encode(`{"alg":"HS256","kid":"k1","typ":"JWT","b64":false,"crit":["b64"]}`) + "." + "e30"
	mac := hmac.New(sha256.New, secretOf("k1"))
	mac.Write([]byte(unencoded))
	rows["unencoded payload"] = unencoded + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	return rows
}

func badTimes(w world) map[string]string {
	exp := start.Add(ttl).Unix()
	rows := map[string]string{
		"no exp":               forge(goodHeader, without(w, "exp")),
		"no iat":               forge(goodHeader, without(w, "iat")),
		"iat a second early":   forge(goodHeader, with(w, "iat", fmt.Sprint(start.Unix()-1))),
		"iat a second late":    forge(goodHeader, with(w, "iat", fmt.Sprint(start.Unix()+1))),
		"id of another second": forge(goodHeader, with(w, "jti", `"`+id(start.Add(time.Second))+`"`)),
		"id of 1970":           forge(goodHeader, with(w, "jti", `"`+id(time.UnixMilli(0))+`"`)),
		"nbf":                  forge(goodHeader, plus(w, "nbf", "0")),
		"exp twice":            forge(goodHeader, plus(w, "exp", fmt.Sprint(exp+1))),
		"EXP":                  forge(goodHeader, plus(w, "EXP", fmt.Sprint(exp+1))),
		"exp escaped":          forge(goodHeader, plus(w, `\u0065xp`, fmt.Sprint(exp+1))),
	}
	for name, value := range map[string]string{
		"a float": fmt.Sprintf("%d.0", exp), "a fraction": fmt.Sprintf("%d.5", exp), "an exponent": "2e9", "a big exponent": "1e400",
		"a text": fmt.Sprintf(`"%d"`, exp), "null": "null", "true": "true", "a list": fmt.Sprintf("[%d]", exp), "an object": "{}",
		"negative": "-1", "beyond 9999": "253402300800", "2^62": "4611686018427387904", "2^63": "9223372036854775808",
		"2^64": "18446744073709551616", "with zeros": "0" + fmt.Sprint(exp), "hexadecimal": "0xffffffff", "with a plus": "+" + fmt.Sprint(exp),
		"NaN": "NaN", "Infinity": "Infinity", "empty": "",
	} {
		rows["exp "+name] = forge(goodHeader, with(w, "exp", value))
		rows["iat "+name] = forge(goodHeader, with(w, "iat", value))
	}
	return rows
}

func badClaims(w world) map[string]string {
	rows := map[string]string{
		"extra claim":       forge(goodHeader, plus(w, "role", `"superadmin"`)),
		"extra after":       forge(goodHeader, object(goodClaims(w))+"{}"),
		"not UTF-8":         forge(goodHeader, with(w, "sub", "\""+string(w.wallet)+"\xff\"")),
		"sub a system id":   forge(goodHeader, with(w, "sub", `"1111111111111111111111111111111"`)),
		"sub with a space":  forge(goodHeader, with(w, "sub", `"`+string(w.wallet)+` "`)),
		"sub with NUL":      forge(goodHeader, with(w, "sub", `"`+string(w.wallet)+`\u0000"`)),
		"sub a name":        forge(goodHeader, with(w, "sub", `"admin"`)),
		"iss of another":    forge(goodHeader, with(w, "iss", `"other"`)),
		"iss longer":        forge(goodHeader, with(w, "iss", `"`+issuer+`.evil"`)),
		"aud of another":    forge(goodHeader, with(w, "aud", `"admins"`)),
		"aud a list":        forge(goodHeader, with(w, "aud", `["`+audience+`"]`)),
		"aud a longer list": forge(goodHeader, with(w, "aud", `["other","`+audience+`"]`)),
		"jti upper case":    forge(goodHeader, with(w, "jti", `"`+strings.ToUpper(id(start))+`"`)),
		"jti in braces":     forge(goodHeader, with(w, "jti", `"{`+id(start)+`}"`)),
		"jti as URN":        forge(goodHeader, with(w, "jti", `"urn:uuid:`+id(start)+`"`)),
		"jti bare":          forge(goodHeader, with(w, "jti", `"`+strings.ReplaceAll(id(start), "-", "")+`"`)),
		"jti version 4":     forge(goodHeader, with(w, "jti", `"`+strings.Replace(id(start), "-7", "-4", 1)+`"`)),
		"jti version 1":     forge(goodHeader, with(w, "jti", `"`+strings.Replace(id(start), "-7", "-1", 1)+`"`)),
		"jti other variant": forge(goodHeader, with(w, "jti", `"`+strings.Replace(id(start), "-8", "-c", 1)+`"`)),
		"claims in claims":  forge(goodHeader, `{"claims":`+object(goodClaims(w))+`}`),
	}
	for _, m := range goodClaims(w) {
		rows[m.name+" twice"] = forge(goodHeader, plus(w, m.name, m.value))
		rows["no "+m.name] = forge(goodHeader, without(w, m.name))
		rows[m.name+" in capitals"] = forge(goodHeader, strings.Replace(object(goodClaims(w)), m.name, strings.ToUpper(m.name), 1))
		for _, value := range []string{"null", "true", "{}", "[]", `""`, "[[[[[[[[[["} {
			rows[m.name+" "+value] = forge(goodHeader, with(w, m.name, value))
		}
	}
	for _, whole := range []string{"", "null", "[]", `"x"`, "1", "{}", "{", "[" + strings.Repeat("[", 1000)} {
		rows["claims are "+whole] = forge(goodHeader, whole)
	}
	return rows
}
