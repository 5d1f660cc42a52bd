package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// terminal opens a pair of ends of a new terminal.
func terminal(t *testing.T) (outer, inner *os.File) {
	t.Helper()
	outer, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { outer.Close() })
	var unlocked, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, outer.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip(errno)
		}
	}
	inner, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { inner.Close() })
	return outer, inner
}

// A program that serves ends with the terminal from which it was started, unless it was
// started to outlast that; before, SIGHUP reloads.
func TestTerminalGoes(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ttl"), []byte("<http://e/a> a <http://e/A> ."))
	for name, c := range map[string]struct {
		command string
		ends    bool
	}{
		"ends":               {`exec "$0" "$@"`, true},
		"ends by its shell":  {`"$0" "$@"; :`, true},
		"is to outlast that": {`trap "" HUP; exec "$0" "$@"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			outer, inner := terminal(t)
			log := &lockedBuffer{}
			p := exec.CommandContext(t.Context(), "/bin/sh", "-c", c.command, exe, "serve", "--addr", "127.0.0.1:0", "--domains", dir)
			p.Env = append(os.Environ(), asProgram+"=real")
			p.Stdin, p.Stdout, p.Stderr = inner, log, log
			p.WaitDelay = patience
			p.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			says := func(text string) {
				t.Helper()
				if !log.wait(text, patience) {
					t.Fatalf("it does not say %q:\n%s", text, log)
				}
			}
			says("/mcp")
			if strings.HasPrefix(c.command, "exec") {
				if err := p.Process.Signal(syscall.SIGHUP); err != nil {
					t.Fatal(err)
				}
				says("msg=reloaded")
			}
			inner.Close()
			outer.Close()
			if c.ends {
				_ = p.Wait() // a shell is killed by the signal
				says("is gone")
				return
			}
			says("msg=reloaded")
			if err := p.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); err != nil {
				t.Errorf("%v:\n%s", err, log)
			}
			if strings.Contains(log.String(), "is gone") {
				t.Errorf("it says:\n%s", log)
			}
		})
	}
}
