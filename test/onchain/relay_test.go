package onchain_test

import (
	"encoding/binary"
	"slices"

	sol "github.com/gagliardetto/solana-go"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/test/fakes"
)

// word is one instruction of Solana's virtual machine (SBPF version 0).
type word struct {
	code     byte
	dst, src byte
	off      int16
	imm      int32
}

// The operations that the relay needs, by their codes.
const (
	movReg, movImm, addReg, addImm, andImm = 0xbf, 0xb7, 0x0f, 0x07, 0x57
	loadWord, loadByte                     = 0x79, 0x71 // dst = [src+off]
	storeWord, storeByte                   = 0x7b, 0x73 // [dst+off] = src
	jumpIfEqual, jump, call, exit          = 0x15, 0x05, 0x85, 0x95
)

// relay is a program that passes its instruction on: the data to the program of its first
// account, with the accounts after that. A reader of only the outer instructions sees an unknown
// program.
//
// Its input has the loader's layout: the number of accounts; for each of them flags, key, owner,
// lamports, data with room to grow, and the rent epoch; then the instruction's data. On its stack
// it builds the arguments of sol_invoke_signed_c: account infos of 56 bytes, metas of 16, and the
// instruction.
var relay = slices.Concat(
	[]word{ // r6: the input, r7: how many accounts, r8: the next info, r9: accounts to go
		{movReg, 6, 1, 0, 0}, {loadWord, 7, 6, 0, 0}, {addImm, 6, 0, 0, 8},
		{movReg, 8, 10, 0, 0}, {addImm, 8, 0, 0, infosAt}, {movReg, 9, 7, 0, 0},
	},
	[]word{
		{jumpIfEqual, 9, 0, 30, 0},
		{movReg, 1, 6, 0, 0}, {addImm, 1, 0, 0, 8}, {storeWord, 8, 1, 0, 0}, // key
		{movReg, 1, 6, 0, 0}, {addImm, 1, 0, 0, 72}, {storeWord, 8, 1, 8, 0}, // lamports
		{loadWord, 2, 6, 80, 0}, {storeWord, 8, 2, 16, 0}, // length of the data
		{movReg, 3, 6, 0, 0}, {addImm, 3, 0, 0, 40}, {storeWord, 8, 3, 32, 0}, // owner
		{loadByte, 3, 6, 1, 0}, {storeByte, 8, 3, 48, 0}, // signs
		{loadByte, 3, 6, 2, 0}, {storeByte, 8, 3, 49, 0}, // may be written
		{loadByte, 3, 6, 3, 0}, {storeByte, 8, 3, 50, 0}, // can be run
		{movReg, 1, 6, 0, 0}, {addImm, 1, 0, 0, 88}, {storeWord, 8, 1, 24, 0}, // data
		{addReg, 1, 2, 0, 0}, {addImm, 1, 0, 0, 10_240 + 7}, {andImm, 1, 0, 0, -8}, // what it may grow by, aligned
		{loadWord, 3, 1, 0, 0}, {storeWord, 8, 3, 40, 0}, // rent epoch
		{movReg, 6, 1, 0, 0}, {addImm, 6, 0, 0, 8}, {addImm, 8, 0, 0, 56}, {addImm, 9, 0, 0, -1},
		{jump, 0, 0, -31, 0},
	},
	[]word{ // r9: length of the instruction's data, r5: the data, r2: the next info, r3: the next meta, r0: metas to go
		{loadWord, 9, 6, 0, 0}, {movReg, 5, 6, 0, 0}, {addImm, 5, 0, 0, 8},
		{movReg, 1, 10, 0, 0}, {addImm, 1, 0, 0, infosAt}, {movReg, 2, 1, 0, 0}, {addImm, 2, 0, 0, 56},
		{movReg, 3, 10, 0, 0}, {addImm, 3, 0, 0, metasAt}, {movReg, 4, 7, 0, 0}, {addImm, 4, 0, 0, -1}, {movReg, 0, 4, 0, 0},
	},
	[]word{
		{jumpIfEqual, 0, 0, 10, 0},
		{loadWord, 8, 2, 0, 0}, {storeWord, 3, 8, 0, 0},
		{loadByte, 8, 2, 49, 0}, {storeByte, 3, 8, 8, 0},
		{loadByte, 8, 2, 48, 0}, {storeByte, 3, 8, 9, 0},
		{addImm, 2, 0, 0, 56}, {addImm, 3, 0, 0, 16}, {addImm, 0, 0, 0, -1},
		{jump, 0, 0, -11, 0},
	},
	[]word{
		{movReg, 8, 10, 0, 0}, {addImm, 8, 0, 0, instructionAt},
		{loadWord, 2, 1, 0, 0}, {storeWord, 8, 2, 0, 0}, // program
		{movReg, 3, 10, 0, 0}, {addImm, 3, 0, 0, metasAt}, {storeWord, 8, 3, 8, 0}, {storeWord, 8, 4, 16, 0},
		{storeWord, 8, 5, 24, 0}, {storeWord, 8, 9, 32, 0},
		{movReg, 2, 1, 0, 0}, {movReg, 1, 8, 0, 0}, {movReg, 3, 7, 0, 0}, {movImm, 4, 0, 0, 0}, {movImm, 5, 0, 0, 0},
		{call, 0, 1, 0, -1}, // the relocation sets its number
		{exit, 0, 0, 0, 0},
	},
)

// The positions on the stack, below its end.
const (
	infosAt       = -1024
	metasAt       = -1600
	instructionAt = -1704
)

// The layout of the relay's file: header, three segments, then the sections in the order of
// sections.
const (
	elfHeader, segmentHeader, sectionHeader = 64, 56, 64
	textAt                                  = elfHeader + 3*segmentHeader
)

// section is a section of a shared object.
type section struct {
	name  string
	kind  uint32
	flags uint64
	data  []byte
	link  uint32 // to another section, by its number
	entry uint64 // size of one entry
}

var le = binary.LittleEndian

func words(all ...uint64) (out []byte) {
	for _, w := range all {
		out = le.AppendUint64(out, w)
	}
	return out
}

// relayProgram returns the relay as a shared object with one relocation: the call.
func relayProgram() []byte {
	const syscall, relocatesCall = "sol_invoke_signed_c", 10
	var text []byte
	callAt := uint64(0)
	for i, w := range relay {
		if w.code == call {
			callAt = textAt + 8*uint64(i)
		}
		text = append(text, w.code, w.dst|w.src<<4)
		text = le.AppendUint32(le.AppendUint16(text, uint16(w.off)), uint32(w.imm))
	}
	const dynamicSize, symbolsSize, relocationSize = 11 * 16, 2 * 24, 16
	dynamicAt := uint64(textAt + len(text))
	symbolsAt := dynamicAt + dynamicSize
	relocationAt := symbolsAt + symbolsSize
	stringsAt := relocationAt + relocationSize
	strings := "\x00" + syscall + "\x00"
	dynamic := words(6, symbolsAt, 11, 24, 5, stringsAt, 10, uint64(len(strings)), 17, relocationAt, 18, relocationSize, 19, 16)
	symbols := append(words(0, 0, 0), le.AppendUint32(nil, 1)...)
	symbols = append(append(symbols, 0x10, 0, 0, 0), words(0, 0)...) // global and undefined
	return sharedObject([]section{
		{".text", 1, 6, text, 0, 0},
		{".dynamic", 6, 2, append(dynamic, make([]byte, dynamicSize-len(dynamic))...), 5, 16},
		{".dynsym", 11, 2, symbols, 5, 24},
		{".rel.dyn", 9, 2, words(callAt, 1<<32|relocatesCall), 3, 16},
		{".dynstr", 3, 2, []byte(strings), 0, 0},
	})
}

// sharedObject writes sections as an ELF file for Solana's machine. The first two are the program
// and what its loader reads first.
func sharedObject(sections []section) []byte {
	names := "\x00"
	for _, s := range sections {
		names += s.name + "\x00"
	}
	sections = append(sections, section{".shstrtab", 3, 0, []byte(names + ".shstrtab\x00"), 0, 0})
	var body, table []byte
	table = append(table, make([]byte, sectionHeader)...)
	name := uint32(1)
	for _, s := range sections {
		at := uint64(textAt + len(body))
		table = le.AppendUint32(le.AppendUint32(table, name), s.kind)
		table = append(table, words(s.flags, at, at, uint64(len(s.data)))...)
		table = append(le.AppendUint32(le.AppendUint32(table, s.link), 0), words(8, s.entry)...)
		body, name = append(body, s.data...), name+uint32(len(s.name))+1
	}
	body = append(body, make([]byte, (8-len(body)%8)%8)...)

	out := []byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	out = le.AppendUint32(le.AppendUint16(le.AppendUint16(out, 3), 247), 1) // a shared object of EM_BPF
	out = append(out, words(textAt, elfHeader, uint64(textAt+len(body)))...)
	out = le.AppendUint32(out, 0)
	for _, n := range []int{elfHeader, segmentHeader, 3, sectionHeader, len(sections) + 1, len(sections)} {
		out = le.AppendUint16(out, uint16(n))
	}
	text, dynamic := uint64(len(sections[0].data)), uint64(len(sections[1].data))
	for _, s := range []struct {
		kind, flags uint32
		at, size    uint64
	}{
		{1, 5, textAt, text}, {1, 4, textAt + text, uint64(len(body)) - text}, {2, 4, textAt + text, dynamic},
	} {
		out = le.AppendUint32(le.AppendUint32(out, s.kind), s.flags)
		out = append(out, words(s.at, s.at, s.at, s.size, s.size, 8)...)
	}
	return slices.Concat(out, body, table)
}

// relayed wraps an instruction into one of the relay's.
func (s *stage) relayed(inner sol.Instruction) sol.Instruction {
	s.Helper()
	id := sol.PrivateKey(fakes.Key("relay")).PublicKey()
	if !s.relaying {
		noError(s, s.chain.AddProgram(id, relayProgram()))
		s.relaying = true
		s.slots(3)
	}
	data, err := inner.Data()
	noError(s, err)
	return sol.NewInstruction(id, append(sol.AccountMetaSlice{sol.Meta(inner.ProgramID())}, inner.Accounts()...), data)
}

// innerShapes pay through an unknown program.
var innerShapes = []shape{
	{"an inner transfer of SOL", func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		signature := s.do([]sol.Instruction{s.relayed(s.paying(s.sol, alice.PublicKey(), paid))}, alice.PrivateKey)
		return signature, []claim{{bob, s.sol, rejected(deposit.NotSender)}, {alice, s.sol, credited(paid)}}
	}},
	{"an inner transfer of a token", func(s *stage) (string, []claim) {
		alice, bob := s.join(), s.join()
		signature := s.do([]sol.Instruction{s.relayed(s.paying(s.usd, alice.PublicKey(), paid))}, alice.PrivateKey)
		return signature, []claim{{bob, s.usd, rejected(deposit.NotSender)}, {alice, s.usd, credited(paid)}}
	}},
	{"an inner transfer of a token with a fee, beside an outer one", func(s *stage) (string, []claim) {
		alice := s.join()
		signature := s.do([]sol.Instruction{
			s.relayed(s.paying(s.fee, alice.PublicKey(), paid)), s.paying(s.fee, alice.PublicKey(), paid),
		}, alice.PrivateKey)
		return signature, []claim{{alice, s.fee, credited(2 * (paid - paid/100))}}
	}},
}
