package store

import (
	"encoding/binary"
	"hash/crc32"
)

// Resum makes the sums of a file right again where its parts still lie as their heads
// say, so that what is inside is looked at and not only its sums.
func Resum(file []byte) []byte {
	file = append([]byte(nil), file...)
	sum := func(from, end int) {
		binary.LittleEndian.PutUint32(file[end:], crc32.Checksum(file[from:end], castagnoli))
	}
	if len(file) < fileHead {
		return file
	}
	sum(0, fileHead-crcSize)
	for at := fileHead; at+partHead+crcSize <= len(file); {
		unit, items := binary.LittleEndian.Uint32(file[at+4:]), binary.LittleEndian.Uint64(file[at+8:])
		left := uint64(len(file) - at - partHead - crcSize)
		if unit == 0 || items > left/uint64(unit) {
			break
		}
		end := at + partHead + int(uint64(unit)*items)
		sum(at, end)
		at = end + crcSize
	}
	return file
}

// Edges are the places in a file where a head, the items of a part or a sum begins.
func Edges(file []byte) []int {
	out := []int{0, len(fileMagic), fileHead - crcSize}
	for at := fileHead; at < len(file); {
		unit, items := binary.LittleEndian.Uint32(file[at+4:]), binary.LittleEndian.Uint64(file[at+8:])
		end := at + partHead + int(uint64(unit)*items)
		out = append(out, at, at+partHead, end)
		at = end + crcSize
	}
	return out
}
