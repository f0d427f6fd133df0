package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Tell is guidance that waits for a loop's next iteration.
type Tell struct {
	Ref  plumbing.ReferenceName
	Text string // as the user wrote it
	blob plumbing.Hash
}

// Tells returns the guidance that waits for the loop, oldest first.
func (r *Repository) Tells(ctx context.Context, loop string) ([]Tell, error) {
	refs, err := r.store.Refs(ctx, tellPrefix+loop+"/")
	if err != nil {
		return nil, fmt.Errorf("list guidance for %s: %w", loop, err)
	}
	return r.readTells(refs)
}

// readTells reads the guidance that refs hold, oldest first.
func (r *Repository) readTells(refs []Ref) ([]Tell, error) {
	slices.SortFunc(refs, func(a, b Ref) int { return tellNumber(a.Name) - tellNumber(b.Name) })
	tells := make([]Tell, 0, len(refs))
	for _, ref := range refs {
		blob, err := object.GetBlob(r.store, ref.Hash)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", ref.Name, err)
		}
		text, err := blobText(blob)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", ref.Name, err)
		}
		tells = append(tells, Tell{Ref: ref.Name, Text: text, blob: ref.Hash})
	}
	return tells, nil
}

// Tell leaves guidance for the loop. Several processes may do so at once.
func (r *Repository) Tell(ctx context.Context, loop, text string) error {
	blob := r.store.NewEncodedObject()
	blob.SetType(plumbing.BlobObject)
	w, err := blob.Writer()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	id, err := r.store.SetEncodedObject(blob)
	if err != nil {
		return fmt.Errorf("write guidance: %w", err)
	}
	for try := 0; ; try++ {
		tells, err := r.Tells(ctx, loop)
		if err != nil {
			return err
		}
		next := 1
		if len(tells) > 0 {
			next = tellNumber(tells[len(tells)-1].Ref) + 1
		}
		name := plumbing.ReferenceName(fmt.Sprintf("%s%s/%d", tellPrefix, loop, next))
		err = r.store.Transact(ctx, Transaction{Message: "ralph: tell", Updates: []RefUpdate{{Name: name, New: id}}})
		if _, conflict := errors.AsType[*ConflictError](err); conflict && try < notesTries {
			continue
		}
		return err
	}
}

func tellNumber(name plumbing.ReferenceName) int {
	n, _ := strconv.Atoi(name.String()[strings.LastIndexByte(name.String(), '/')+1:])
	return n
}

func blobText(blob *object.Blob) (string, error) {
	reader, err := blob.Reader()
	if err != nil {
		return "", err
	}
	defer reader.Close()
	text, err := io.ReadAll(reader)
	return string(text), err
}
