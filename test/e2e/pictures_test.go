package e2e_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// shot stores the visible part of the page as a picture for the documents, if CASINO_TEST_DRAW
// names their folder (make pictures).
func (p *page) shot(name string) {
	p.Helper()
	folder := os.Getenv("CASINO_TEST_DRAW")
	if folder == "" {
		return
	}
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('.notice button').forEach((each) => each.click())`)) // a temporary notice covers it
	p.until(`document.querySelector('.notice') === null`)
	seen, err := png.Decode(bytes.NewReader(run(p, chromedp.CaptureScreenshot())))
	noError(p, err)
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	noError(p, encoder.Encode(&small, reduced(seen)))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), small.Bytes(), 0o600); err != nil {
		p.Fatal(err)
	}
}

// exactMax is how many colours of a picture are kept exactly; one in exactOf pixels must have
// such a colour.
const exactMax, exactOf = 96, 2000

// coloursMax is the most colours of a PNG palette.
const coloursMax = 256

// reduced returns the picture in 256 colours, chosen by median cut (Heckbert 1982), with error
// diffusion, so that gradients have no visible bands.
func reduced(from image.Image) *image.Paletted {
	bounds := from.Bounds()
	count := map[[3]uint8]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b, _ := from.At(x, y).RGBA()
			count[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b [3]uint8) int {
		return cmp.Or(count[b]-count[a], slices.Compare(a[:], b[:]))
	})
	// The most frequent colours are backgrounds and letters: they are kept exactly.
	boxes := [][][3]uint8{}
	pixels := bounds.Dx() * bounds.Dy()
	for len(all) > 1 && len(boxes) < exactMax && count[all[0]] > pixels/exactOf {
		boxes, all = append(boxes, all[:1]), all[1:]
	}
	boxes = append(boxes, all)
	for len(boxes) < coloursMax {
		widest, along, spread := -1, 0, 0
		for i, box := range boxes {
			if at, width := longest(box); width > spread {
				widest, along, spread = i, at, width
			}
		}
		if widest < 0 {
			break
		}
		box := boxes[widest]
		slices.SortFunc(box, func(a, b [3]uint8) int { return int(a[along]) - int(b[along]) })
		boxes[widest] = box[:len(box)/2]
		boxes = append(boxes, box[len(box)/2:])
	}
	palette := make(color.Palette, len(boxes))
	for i, box := range boxes {
		palette[i] = mean(box, count)
	}
	into := image.NewPaletted(bounds, palette)
	draw.FloydSteinberg.Draw(into, bounds, from, bounds.Min)
	return into
}

// longest returns the channel with the widest range in a box, and the range.
func longest(box [][3]uint8) (channel, width int) {
	for at := range 3 {
		low, high := uint8(255), uint8(0)
		for _, colour := range box {
			low, high = min(low, colour[at]), max(high, colour[at])
		}
		if apart := int(high) - int(low); apart > width {
			channel, width = at, apart
		}
	}
	return channel, width
}

// mean returns the mean colour of a box, weighted by frequency.
func mean(box [][3]uint8, count map[[3]uint8]int) color.RGBA {
	var sum [3]int
	seen := 0
	for _, colour := range box {
		times := count[colour]
		seen += times
		for at := range 3 {
			sum[at] += times * int(colour[at])
		}
	}
	return color.RGBA{uint8(sum[0] / seen), uint8(sum[1] / seen), uint8(sum[2] / seen), 255}
}

// TestPicturesAreReduced checks that few colours are kept exactly, and many become similar ones.
func TestPicturesAreReduced(t *testing.T) {
	t.Parallel()
	few, many := image.NewRGBA(image.Rect(0, 0, 64, 64)), image.NewRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			few.Set(x, y, color.RGBA{uint8(x / 32 * 200), uint8(y / 32 * 100), 7, 255})
			many.Set(x, y, color.RGBA{uint8(x * 4), uint8(y * 4), 90, 255})
		}
	}
	apart := func(a image.Image, b *image.Paletted) (most int) {
		for y := range 64 {
			for x := range 64 {
				r, g, bl, _ := a.At(x, y).RGBA()
				R, G, B, _ := b.At(x, y).RGBA()
				for _, of := range [][2]uint32{{r, R}, {g, G}, {bl, B}} {
					most = max(most, int(of[0]>>8)-int(of[1]>>8), int(of[1]>>8)-int(of[0]>>8))
				}
			}
		}
		return most
	}
	if most := apart(few, reduced(few)); most != 0 {
		t.Errorf("a picture of four colours is %d off", most)
	}
	if most := apart(many, reduced(many)); most == 0 || most > 16 {
		t.Errorf("a picture of 4096 colours is %d off", most)
	}
}
