// Package queue holds a queue.
package queue

import (
	"fmt"
	str "strings"
)

type Number interface {
	~int | ~float64
}

type Queue[T Number] struct {
	items []T `json:"items"`
	names map[string]*Queue[T]
	str.Builder
}

const (
	Low = iota
	High
)

var limit, other int = 0x1F, 1_000

func (q *Queue[T]) Push(values ...T) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("push: %v", r)
		}
	}()
	for i, v := range values {
		switch {
		case v > 10:
			continue
		case i == 0, i&1 != 0:
			fallthrough
		default:
			q.items = append(q.items, v)
		}
	}
	return len(q.items), nil
}

func main() {
	ch := make(chan int, 3)
	go func(out chan<- int) { out <- 'a' }(ch)
	select {
	case v, ok := <-ch:
		fmt.Println(v, ok, `raw "text"`)
	default:
	}
outer:
	for i := 0; i < 10; i++ {
		if x, ok := any(i).(int); !ok || x > 3 {
			break outer
		}
	}
	point := struct{ X, Y int }{X: 1, Y: -2}
	grid := [...][2]float64{{1.5e3, 2}, {}}
	_ = grid[0][:1]
	switch t := any(point).(type) {
	case nil, *int:
		_ = t
	}
}
