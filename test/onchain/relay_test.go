package onchain_test

import (
	"bytes"
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

// relay is a program that passes its instruction on: the data to the program of
// its first account, with the accounts after that. Whoever reads instructions
// from outside sees a program that nobody knows.
//
// Its input is as the loader lays it out: the number of accounts; for each of them
// flags, key, owner, lamports, data with room to grow, and the rent epoch; then
// the instruction's data. On its stack it builds what sol_invoke_signed_c takes:
// account infos of 56 bytes, metas of 16, and the instruction.
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
		{call, 0, 1, 0, -1}, // its number comes by the relocation
		{exit, 0, 0, 0, 0},
	},
)

// Where on the stack things are, below its end.
const (
	infosAt       = -1024
	metasAt       = -1600
	instructionAt = -1704
)

// relayProgram is the relay as a shared object with one relocation: the call.
func relayProgram() []byte {
	const (
		header, programHeader, sectionHeader = 64, 56, 64
		textAt                               = header + 3*programHeader
		symbol                               = "sol_invoke_signed_c"
		callRelocation                       = 10
	)
	le := binary.LittleEndian
	var text []byte
	callAt := 0
	for i, w := range relay {
		if w.code == call {
			callAt = textAt + 8*i
		}
		text = append(text, w.code, w.dst|w.src<<4)
		text = le.AppendUint32(le.AppendUint16(text, uint16(w.off)), uint32(w.imm))
	}
	words := func(all ...uint64) (out []byte) {
		for _, w := range all {
			out = le.AppendUint64(out, w)
		}
		return out
	}
	const dynamicSize, symbolsSize, relocationSize = 8 * 16, 2 * 24, 16
	dynamicAt := uint64(textAt + len(text))
	symbolsAt := dynamicAt + dynamicSize
	relocationAt := symbolsAt + symbolsSize
	stringsAt := relocationAt + relocationSize
	strings := "\x00" + symbol + "\x00"
	namesAt := stringsAt + uint64(len(strings))
	names := "\x00.text\x00.dynamic\x00.dynsym\x00.rel.dyn\x00.dynstr\x00.shstrtab\x00"
	sectionsAt := (namesAt + uint64(len(names)) + 7) &^ 7

	out := new(bytes.Buffer)
	out.Write([]byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	out.Write(le.AppendUint32(le.AppendUint16(le.AppendUint16(nil, 3), 247), 1)) // a shared object of EM_BPF
	out.Write(words(textAt, header, sectionsAt))
	out.Write(le.AppendUint32(nil, 0))
	for _, n := range []uint16{header, programHeader, 3, sectionHeader, 7, 6} {
		out.Write(le.AppendUint16(nil, n))
	}
	segment := func(kind, flags uint32, at, size uint64) {
		out.Write(le.AppendUint32(le.AppendUint32(nil, kind), flags))
		out.Write(words(at, at, at, size, size, 8))
	}
	segment(1, 5, textAt, uint64(len(text)))
	segment(1, 4, dynamicAt, namesAt-dynamicAt)
	segment(2, 4, dynamicAt, dynamicSize)
	out.Write(text)
	out.Write(words(6, symbolsAt, 11, 24, 5, stringsAt, 10, uint64(len(strings)), 17, relocationAt, 18, relocationSize, 19, 16, 0, 0))
	out.Write(words(0, 0, 0))
	out.Write(append(le.AppendUint32(nil, 1), 0x10, 0, 0, 0)) // its name, global, nowhere defined
	out.Write(words(0, 0))
	out.Write(words(uint64(callAt), 1<<32|callRelocation))
	out.WriteString(strings + names)
	out.Write(make([]byte, sectionsAt-uint64(out.Len())))
	section := func(name string, kind uint32, flags, at, size uint64, link uint32, entry uint64) {
		out.Write(le.AppendUint32(le.AppendUint32(nil, uint32(bytes.Index([]byte(names), []byte(name+"\x00")))), kind))
		out.Write(words(flags, at, at, size))
		out.Write(le.AppendUint32(le.AppendUint32(nil, link), 0))
		out.Write(words(8, entry))
	}
	out.Write(make([]byte, sectionHeader))
	section(".text", 1, 6, textAt, uint64(len(text)), 0, 0)
	section(".dynamic", 6, 2, dynamicAt, dynamicSize, 5, 16)
	section(".dynsym", 11, 2, symbolsAt, symbolsSize, 5, 24)
	section(".rel.dyn", 9, 2, relocationAt, relocationSize, 3, 16)
	section(".dynstr", 3, 2, stringsAt, uint64(len(strings)), 0, 0)
	section(".shstrtab", 3, 0, namesAt, uint64(len(names)), 0, 0)
	return out.Bytes()
}

// relayed wraps an instruction into one of the relay's.
func (s *stage) relayed(inner sol.Instruction) sol.Instruction {
	s.Helper()
	id := sol.PrivateKey(fakes.Key("relay")).PublicKey()
	if !s.relaying {
		if err := s.chain.AddProgram(id, relayProgram()); err != nil {
			s.Fatal(err)
		}
		s.relaying = true
		s.slots(3)
	}
	data, err := inner.Data()
	if err != nil {
		s.Fatal(err)
	}
	return sol.NewInstruction(id, append(sol.AccountMetaSlice{sol.Meta(inner.ProgramID())}, inner.Accounts()...), data)
}

// innerShapes pay through a program that nobody knows.
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
