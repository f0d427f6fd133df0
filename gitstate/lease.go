package gitstate

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Names of refs.
const (
	leasePrefix  = "refs/ralph/lease/"  // on a remote: who may continue a loop
	leasedPrefix = "refs/ralph/leased/" // here: the lease that we wrote last, by remote and loop
)

// LeaseStale is how old a lease's heartbeat is when its owner counts as gone.
const LeaseStale = 15 * time.Minute

// leaseFormat is the version of leases that this program writes.
const leaseFormat = 1

// Lease says who may continue a loop. It lies on the remote, as the message of a commit without files or parents.
type Lease struct {
	Loop      string
	Branch    plumbing.ReferenceName // the loop branch
	Owner     string                 // random, of one clone's hold on the loop; empty: there is no lease
	Place     string                 // tells the machine and the directory of that clone from others
	Who       string                 // the owner's name
	Host      string                 // the owner's machine
	Since     time.Time              // when the owner took it
	Heartbeat time.Time              // when the owner renewed it last
	Released  bool                   // the owner gave it up
}

// Free reports whether anybody may take the lease at that time: there is none, it was given up, or its owner is gone.
func (l Lease) Free(now time.Time) bool {
	return l.Owner == "" || l.Released || now.Sub(l.Heartbeat) > LeaseStale
}

// LeaseError says that the lease of a loop is somebody else's.
type LeaseError struct {
	Remote string // its name
	Lease  Lease  // as the remote has it
}

func (e *LeaseError) Error() string {
	if e.Lease.Released {
		return fmt.Sprintf("loop %q was taken over by %s, and given up again", e.Lease.Loop, e.Lease.Holder())
	}
	return fmt.Sprintf("loop %q is continued by %s", e.Lease.Loop, e.Lease.Holder())
}

// Holder names the owner and the machine.
func (l Lease) Holder() string {
	if l.Host == "" {
		return l.Who
	}
	return l.Who + " on " + l.Host
}

// message puts the lease into words.
func (l Lease) message() string {
	state := "held"
	if l.Released {
		state = "released"
	}
	return Message{Subject: "ralph: lease " + l.Loop, Trailers: []Trailer{
		{Key: "Ralph-Lease-Format", Value: strconv.Itoa(leaseFormat)},
		{Key: "Ralph-Loop", Value: l.Loop},
		{Key: "Ralph-Branch", Value: l.Branch.Short()},
		{Key: "Ralph-Lease", Value: state},
		{Key: "Ralph-Owner", Value: l.Owner},
		{Key: "Ralph-Place", Value: l.Place},
		{Key: "Ralph-Host", Value: l.Host},
		{Key: "Ralph-Since", Value: l.Since.UTC().Format(time.RFC3339)},
		{Key: "Ralph-Heartbeat", Value: l.Heartbeat.UTC().Format(time.RFC3339)},
	}}.String()
}

// parseLease reads a lease from its commit. What makes no sense counts as not there, as for trailers.
func parseLease(c *object.Commit) (Lease, error) {
	l := Lease{Who: oneLine(c.Author.Name)}
	for _, t := range ParseMessage(c.Message).Trailers {
		switch t.Key {
		case "Ralph-Lease-Format":
			if n, ok := parseCount(t.Value); ok && n > leaseFormat {
				return Lease{}, fmt.Errorf("read lease %s: format %d: %w", c.Hash, n, ErrNewer)
			}
		case "Ralph-Loop":
			l.Loop = t.Value
		case "Ralph-Branch":
			l.Branch = plumbing.NewBranchReferenceName(t.Value)
		case "Ralph-Lease":
			l.Released = t.Value == "released"
		case "Ralph-Owner":
			l.Owner = t.Value
		case "Ralph-Place":
			l.Place = t.Value
		case "Ralph-Host":
			l.Host = t.Value
		case "Ralph-Since":
			l.Since, _ = time.Parse(time.RFC3339, t.Value)
		case "Ralph-Heartbeat":
			l.Heartbeat, _ = time.Parse(time.RFC3339, t.Value)
		}
	}
	return l, nil
}

// lease reads a lease; the zero hash is none. One that is no lease of ours has the zero heartbeat and an owner of its own: nobody holds by it, and it is
// not ours.
func (r *Repository) lease(id plumbing.Hash) (Lease, error) {
	if id.IsZero() {
		return Lease{}, nil
	}
	commit, err := object.GetCommit(r.store, id)
	if missing := r.store.HasEncodedObject(id); errors.Is(missing, plumbing.ErrObjectNotFound) {
		return Lease{}, fmt.Errorf("read lease %s: %w", id, missing)
	}
	if err != nil {
		return Lease{Owner: id.String()}, nil
	}
	l, err := parseLease(commit)
	if l.Owner == "" {
		l.Owner = id.String()
	}
	return l, err
}

// leasedRef returns the ref that holds the lease which we wrote last for the loop on the remote. It is written before the remote's, so that after a crash
// the remote's is known as ours by its owner.
func (m *Remote) leasedRef(loop string) plumbing.ReferenceName {
	return plumbing.ReferenceName(leasedPrefix + m.Name + "/" + loop)
}

// Ours reports whether a lease is this clone's own hold on a loop.
func (m *Remote) Ours(l Lease) (bool, error) {
	id, err := m.repo.store.Resolve(m.leasedRef(l.Loop))
	if err != nil {
		return false, err
	}
	ours, err := m.repo.lease(id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return false, nil
	}
	return l.Owner != "" && ours.Owner == l.Owner && l.Place == m.repo.place(), err
}

// place tells this clone from others: from a copy of it on another machine, or elsewhere on this one.
func (r *Repository) place() string {
	host, _ := os.Hostname() // without one the directory has to do
	sum := sha256.Sum256([]byte(host + "\x00" + r.CommonDir))
	return hex.EncodeToString(sum[:8])
}

// newLease returns a lease for a clone that never had one.
func (r *Repository) newLease(loop string, branch plumbing.ReferenceName, now time.Time) Lease {
	owner := make([]byte, 16)
	_, _ = rand.Read(owner) // never fails
	host, _ := os.Hostname()
	return Lease{Loop: loop, Branch: branch, Owner: hex.EncodeToString(owner), Place: r.place(), Host: host, Since: now, Heartbeat: now}
}

// writeLease writes the lease as a commit.
func (r *Repository) writeLease(ctx context.Context, l Lease) (plumbing.Hash, error) {
	who := r.anybody(ctx)
	who.When = l.Heartbeat.UTC()
	tree := memoryObject(plumbing.TreeObject, nil)
	commit := &object.Commit{Author: who, Committer: who, Message: l.message(), TreeHash: tree.Hash()}
	encoded := &plumbing.MemoryObject{}
	if err := commit.Encode(encoded); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write lease: %w", err)
	}
	if err := r.store.WriteObjects(ctx, []plumbing.EncodedObject{tree, encoded}); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write lease: %w", err)
	}
	return encoded.Hash(), nil
}

// anybody returns who commits here, and somebody without a name where git does not know it: what is written then is no work of anybody's.
func (r *Repository) anybody(ctx context.Context) object.Signature {
	who, err := r.Committer(ctx)
	if err != nil {
		return object.Signature{Name: "git-ralph", Email: "git-ralph@localhost", When: time.Now().Truncate(time.Second)}
	}
	return who
}
