package gitstate

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// packVersion is the version of the pack format that every git reads.
const packVersion = 2

// packOf returns a pack of the objects, each once, without deltas. go-git's own encoder makes a compressor for each object, which takes
// longer than git takes to write them.
func (s *gitStore) packOf(objects []plumbing.EncodedObject) (io.Reader, error) {
	seen := map[plumbing.Hash]bool{}
	var body bytes.Buffer
	for _, o := range objects {
		if seen[o.Hash()] {
			continue
		}
		seen[o.Hash()] = true
		if err := s.deflateTo(&body, o); err != nil {
			return nil, fmt.Errorf("pack object %s: %w", o.Hash(), err)
		}
	}
	pack := []byte("PACK")
	pack = binary.BigEndian.AppendUint32(pack, packVersion)
	pack = binary.BigEndian.AppendUint32(pack, uint32(len(seen)))
	pack = append(pack, body.Bytes()...)
	sum := sha1.Sum(pack)
	return bytes.NewReader(append(pack, sum[:]...)), nil
}

// deflateTo writes one entry of a pack: type and size, then the content, compressed.
func (s *gitStore) deflateTo(body *bytes.Buffer, o plumbing.EncodedObject) error {
	size := uint64(o.Size())
	head := byte(o.Type())<<4 | byte(size&0x0f)
	for size >>= 4; size > 0; size >>= 7 {
		body.WriteByte(head | 0x80)
		head = byte(size & 0x7f)
	}
	body.WriteByte(head)
	content, err := o.Reader()
	if err != nil {
		return err
	}
	defer content.Close()
	if s.deflate == nil {
		s.deflate, _ = zlib.NewWriterLevel(nil, zlib.NoCompression) // git compresses itself, as it is configured
	}
	s.deflate.Reset(body)
	if _, err := io.Copy(s.deflate, content); err != nil {
		return err
	}
	return s.deflate.Close()
}
