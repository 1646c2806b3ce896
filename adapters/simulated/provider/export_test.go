package provider

// Languages are all words of the games' pages, by language.
func Languages() map[string]any {
	return map[string]any{english.Language: english, portuguese.Language: portuguese}
}
