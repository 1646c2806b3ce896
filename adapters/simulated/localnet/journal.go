package localnet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// journalName is the name of the journal's file in Config.Dir.
const journalName = "chain.journal"

// journalMagic begins every journal; its last digit is the format's version.
const journalMagic = "casino localnet journal 1\n"

// recordMax bounds one record, so that a damaged length is recognized.
const recordMax = 256 << 20

// record is one line of the journal; exactly one field is set.
type record struct {
	Genesis *genesis `json:"genesis,omitempty"`
	Base    *base    `json:"base,omitempty"`
	Landed  *landed  `json:"landed,omitempty"`
}

// journal is an append-only file of records. Each is framed by a header of its
// length, the length's checksum and the payload's checksum, 4 bytes each, little
// endian; checksums are CRC-32C.
type journal struct {
	file *os.File
	lock io.Closer
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const headerSize = 12

// frameRecord returns a payload with its header.
func frameRecord(payload []byte) []byte {
	framed := binary.LittleEndian.AppendUint32(make([]byte, 0, headerSize+len(payload)), uint32(len(payload)))
	framed = binary.LittleEndian.AppendUint32(framed, crc32.Checksum(framed[:4], castagnoli))
	framed = binary.LittleEndian.AppendUint32(framed, crc32.Checksum(payload, castagnoli))
	return append(framed, payload...)
}

// readRecord returns the payload at the beginning of data; false if there is no complete
// record.
func readRecord(data []byte) ([]byte, bool) {
	if len(data) < headerSize {
		return nil, false
	}
	length := binary.LittleEndian.Uint32(data)
	if binary.LittleEndian.Uint32(data[4:]) != crc32.Checksum(data[:4], castagnoli) || length > recordMax || int(length) > len(data)-headerSize {
		return nil, false
	}
	payload := data[headerSize : headerSize+int(length)]
	return payload, binary.LittleEndian.Uint32(data[8:]) == crc32.Checksum(payload, castagnoli)
}

// openJournal opens the journal of a folder, creating both if missing, and passes every
// record to replay, oldest first. It locks the folder against other processes.
func openJournal(dir string, replay func(record) error) (_ *journal, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("localnet: %w", err)
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, fmt.Errorf("localnet: %s is in use by another process: %w", dir, err)
	}
	j := &journal{lock: lock}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.close())
		}
	}()
	name := filepath.Join(dir, journalName)
	if j.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, fmt.Errorf("localnet: %w", err)
	}
	held, err := io.ReadAll(j.file)
	if err != nil {
		return nil, fmt.Errorf("localnet: reading %s: %w", name, err)
	}
	end, err := scanJournal(held, replay)
	if err != nil {
		return nil, fmt.Errorf("localnet: %s: %w", name, err)
	}
	return j, j.startAt(dir, end)
}

// startAt cuts off the bytes after the last complete record, and writes the magic of a new
// file. It syncs both before anything is appended.
func (j *journal) startAt(dir string, end int) error {
	if err := j.file.Truncate(int64(end)); err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	if _, err := j.file.Seek(int64(end), io.SeekStart); err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	if end == 0 {
		if _, err := j.file.WriteString(journalMagic); err != nil {
			return fmt.Errorf("localnet: %w", err)
		}
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("localnet: %w", err)
	}
	return syncDir(dir)
}

// scanJournal replays complete records and returns where they end. A torn end is one
// unfinished write, so no complete record can follow it; if one does, the journal is
// damaged and rejected.
func scanJournal(held []byte, replay func(record) error) (end int, err error) {
	if len(held) < len(journalMagic) && journalMagic[:len(held)] == string(held) {
		return 0, nil
	}
	if len(held) < len(journalMagic) || string(held[:len(journalMagic)]) != journalMagic {
		return 0, errors.New("this is not a journal of a localnet chain")
	}
	end = len(journalMagic)
	for end < len(held) {
		payload, whole := readRecord(held[end:])
		if !whole {
			if later, found := wholeAfter(held, end); found {
				return 0, fmt.Errorf("damaged at byte %d: whole records follow at byte %d; restore the file from a copy", end, later)
			}
			return end, nil
		}
		var r record
		if err := json.Unmarshal(payload, &r); err != nil {
			return 0, fmt.Errorf("damaged at byte %d: %w", end, err)
		}
		if err := replay(r); err != nil {
			return 0, fmt.Errorf("at byte %d: %w", end, err)
		}
		end += headerSize + len(payload)
	}
	return end, nil
}

// wholeAfter looks for a complete record anywhere after a broken one.
func wholeAfter(held []byte, broken int) (int, bool) {
	for at := broken + 1; at+headerSize <= len(held); at++ {
		if payload, whole := readRecord(held[at:]); whole && len(payload) > 0 {
			return at, true
		}
	}
	return 0, false
}

// appendRecord writes a record and returns once it is on disk.
func (j *journal) appendRecord(r record) error {
	payload, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if len(payload) > recordMax {
		return fmt.Errorf("a record of %d bytes is beyond %d", len(payload), recordMax)
	}
	if _, err := j.file.Write(frameRecord(payload)); err != nil {
		return err
	}
	return j.file.Sync()
}

// close closes the file and releases the lock. A nil journal is already closed.
func (j *journal) close() error {
	if j == nil {
		return nil
	}
	var faults []error
	if j.file != nil {
		faults = append(faults, j.file.Close())
	}
	if j.lock != nil {
		faults = append(faults, j.lock.Close())
	}
	return errors.Join(faults...)
}
