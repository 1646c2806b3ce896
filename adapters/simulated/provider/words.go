package provider

import "strings"

// words holds the texts of a game's page in one language. Names in braces are placeholders.
type words struct {
	Language string `json:"-"` // of the page, as in its html tag
	// Decimal separates the whole and the fraction of an amount.
	Decimal string `json:"decimal"`

	Demo     string `json:"-"`
	AtRest   string `json:"-"`
	Rule     string `json:"-"`
	Balance  string `json:"-"`
	Bet      string `json:"-"`
	Half     string `json:"-"`
	Twice    string `json:"-"`
	Spin     string `json:"-"`
	NoScript string `json:"-"`
	Pays     string `json:"-"`
	Last     string `json:"-"`
	Line     string `json:"-"`
	Win      string `json:"-"`
	Returns  string `json:"-"`
	Player   string `json:"-"`
	NoWallet string `json:"-"`
	WrongBet string `json:"-"`

	Won         string            `json:"won"`
	Lost        string            `json:"lost"`
	Transaction string            `json:"transaction"`
	Refused     string            `json:"refused"`
	Refusals    map[string]string `json:"refusals"`

	// Symbols maps the symbols' English names to their names in the language.
	Symbols map[string]string `json:"-"`
}

var english = words{
	Language: "en", Decimal: ".",
	Demo: "demo game, play money", AtRest: "reels at rest", Rule: "Three of a kind on the line pay.",
	Balance: "Balance", Bet: "Bet", Half: "Half the bet", Twice: "Double the bet", Spin: "Spin", NoScript: "This game needs JavaScript.",
	Pays: "Three of a kind pay", Last: "Your last spins", Line: "Line", Win: "Win",
	Returns: "On average {share} % of the bets come back. Each spin is a debit that this provider asks the casino's wallet for, " +
		"each win a credit under the same transaction id.",
	Player: "Player", NoWallet: "The wallet does not answer.", WrongBet: "The bet must be from 0.01 to 100000.00.",
	Won: "Three of {symbol}: you win {amount}", Lost: "No win", Transaction: "Transaction {id}", Refused: "The wallet refuses: {code}",
	Refusals: map[string]string{
		"INSUFFICIENT_USER_FUNDS": "Your balance is too small for this bet.",
		"GAME_DISABLED":           "This game is switched off.",
		"LIMIT_EXCEEDED":          "A limit that protects you is reached.",
		"PLAYER_EXCLUDED":         "You are excluded from play.",
		"PLAYER_FROZEN":           "Your account is frozen.",
		"BLOCKED_AGENT":           "Your operator is blocked.",
	},
	Symbols: map[string]string{
		"cherry": "cherry", "lemon": "lemon", "bell": "bell", "star": "star", "grapes": "grapes", "diamond": "diamond",
		"coin": "coin", "pick": "pick", "crown": "crown", "wave": "wave",
	},
}

var portuguese = words{
	Language: "pt", Decimal: ",",
	Demo: "jogo de demonstração, dinheiro fictício", AtRest: "rolos parados", Rule: "Três iguais na linha pagam.",
	Balance: "Saldo", Bet: "Aposta", Half: "Metade da aposta", Twice: "Dobro da aposta", Spin: "Girar", NoScript: "Este jogo precisa de JavaScript.",
	Pays: "Três iguais pagam", Last: "Seus últimos giros", Line: "Linha", Win: "Ganho",
	Returns: "Em média {share} % das apostas voltam. Cada giro é um débito que este provedor pede à carteira do cassino, " +
		"cada ganho um crédito com o mesmo id de transação.",
	Player: "Jogador", NoWallet: "A carteira não responde.", WrongBet: "A aposta deve ser de 0,01 a 100000,00.",
	Won: "Três de {symbol}: você ganha {amount}", Lost: "Sem ganho", Transaction: "Transação {id}", Refused: "A carteira recusa: {code}",
	Refusals: map[string]string{
		"INSUFFICIENT_USER_FUNDS": "Seu saldo é pequeno demais para esta aposta.",
		"GAME_DISABLED":           "Este jogo está desligado.",
		"LIMIT_EXCEEDED":          "Um limite que protege você foi atingido.",
		"PLAYER_EXCLUDED":         "Você está excluído do jogo.",
		"PLAYER_FROZEN":           "Sua conta está congelada.",
		"BLOCKED_AGENT":           "Seu operador está bloqueado.",
	},
	Symbols: map[string]string{
		"cherry": "cereja", "lemon": "limão", "bell": "sino", "star": "estrela", "grapes": "uva", "diamond": "diamante",
		"coin": "moeda", "pick": "picareta", "crown": "coroa", "wave": "onda",
	},
}

// wordsOf returns the texts for a launch's language tag: Portuguese for pt with any region,
// else English.
func wordsOf(tag string) words {
	if language, _, _ := strings.Cut(tag, "-"); strings.EqualFold(language, portuguese.Language) {
		return portuguese
	}
	return english
}

// formatAmount formats hundredths in the language.
func (w words) formatAmount(hundredths int64) string {
	return strings.Replace(string(formatMoney(hundredths)), ".", w.Decimal, 1)
}

// formatMultiple formats hundredths of a bet without trailing zeros.
func (w words) formatMultiple(hundredths int64) string {
	return strings.TrimSuffix(strings.TrimRight(w.formatAmount(hundredths), "0"), w.Decimal)
}
