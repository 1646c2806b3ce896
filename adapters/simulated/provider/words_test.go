package provider_test

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/adapters/simulated/provider"
)

// TestAGameSpeaksTheLanguageOfItsLaunch launches every game in several languages and
// reads the page as a browser gets it.
func TestAGameSpeaksTheLanguageOfItsLaunch(t *testing.T) {
	t.Parallel()
	p, err := provider.New(provider.Config{
		AgentCode: "agent", AgentToken: "token", AgentSecret: "secret", CallbackURL: "http://127.0.0.1:1", PublicURL: "http://games",
		Now: time.Now, Random: func() uint64 { return 4 },
	})
	if err != nil {
		t.Fatal(err)
	}
	call(t, p, `{"method":"user_create","agent_code":"agent","agent_token":"token","user_code":"player"}`)
	for tag, want := range map[string][]string{
		"pt":     {`<html lang="pt">`, ">Girar<", "Três iguais pagam", "estrela", "× 100<", "Em média 66,80 %", "A carteira recusa"},
		"pt-BR":  {`<html lang="pt">`, ">Saldo<", "cereja"},
		"PT-pt":  {`<html lang="pt">`},
		"en":     {`<html lang="en">`, ">Spin<", "Three of a kind pay", "star", "On average 66.80 %", "The wallet refuses"},
		"de-CH":  {`<html lang="en">`, ">Balance<"},
		"":       {`<html lang="en">`},
		"pta":    {`<html lang="en">`},
		"es-419": {`<html lang="en">`},
	} {
		page := pageOf(t, p, "DEMOSPIN", "cherry-rush", tag)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("launched with %q the page lacks %q", tag, text)
			}
		}
	}
	for game, maker := range map[string]string{"cherry-rush": "DEMOSPIN", "lucky-bells": "DEMOSPIN", "nugget-river": "DEMOGOLD"} {
		for _, tag := range []string{"en", "pt"} {
			page := pageOf(t, p, maker, game, tag)
			if strings.Contains(page, `class="name"></span>`) || strings.Contains(page, "<small></small>") {
				t.Errorf("%s: a symbol of %s has no name", tag, game)
			}
		}
	}
	missing := httptest.NewRecorder()
	session := regexp.MustCompile(`data-session="([^"]+)"`).FindStringSubmatch(pageOf(t, p, "DEMOSPIN", "cherry-rush", "pt"))[1]
	p.Handler().ServeHTTP(missing, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/play/"+session+"/spin", strings.NewReader(`{"bet":0}`)))
	if missing.Code != http.StatusBadRequest || !strings.Contains(missing.Body.String(), "A aposta deve ser de 0,01") {
		t.Errorf("a wrong bet: %d %s", missing.Code, missing.Body)
	}
}

// TestEveryLanguageSaysEverything compares the texts of the script: none is empty, and all
// languages have the same names.
func TestEveryLanguageSaysEverything(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for language, each := range provider.Languages() {
		value := reflect.ValueOf(each)
		var said []string
		for i := range value.NumField() {
			field, name := value.Field(i), value.Type().Field(i).Name
			if field.IsZero() {
				t.Errorf("%s has no %s", language, name)
			}
			said = append(said, name+" "+strings.Join(regexp.MustCompile(`\{\w+\}`).FindAllString(field.String(), -1), " "))
			if field.Kind() == reflect.Map {
				text, err := json.Marshal(field.Interface(), json.Deterministic(true))
				if err != nil || strings.Contains(string(text), `:""`) {
					t.Errorf("%s: %s: %s, %v", language, name, text, err)
				}
				said = append(said, regexp.MustCompile(`:"[^"]*"`).ReplaceAllString(string(text), ""))
			}
		}
		names[language] = strings.Join(said, "\n")
	}
	if len(names) < 2 || names["en"] != names["pt"] {
		t.Errorf("English says\n%s\nPortuguese says\n%s", names["en"], names["pt"])
	}
}

func call(t *testing.T, p *provider.Provider, body string) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	p.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api", bytes.NewReader([]byte(body))))
	if !strings.Contains(recorder.Body.String(), `"status":1`) {
		t.Fatalf("%s: %s", body, recorder.Body)
	}
	return recorder.Body.String()
}

func pageOf(t *testing.T, p *provider.Provider, maker, game, language string) string {
	t.Helper()
	answer := call(t, p, `{"method":"game_launch","agent_code":"agent","agent_token":"token","user_code":"player","provider_code":"`+maker+
		`","game_code":"`+game+`","lang":"`+language+`"}`)
	address := regexp.MustCompile(`http://games(/play/[^"]+)`).FindStringSubmatch(answer)
	recorder := httptest.NewRecorder()
	p.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address[1], nil))
	text, err := io.ReadAll(recorder.Body)
	if err != nil || recorder.Code != http.StatusOK {
		t.Fatalf("the page: %d, %v", recorder.Code, err)
	}
	return html.UnescapeString(string(text))
}
