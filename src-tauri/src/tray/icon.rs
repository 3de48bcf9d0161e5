//! The program's icon in the size and order of bytes that a tray takes, with a dot while something waits.

/// Pixels of a side; trays scale it.
const SIZE: u32 = 48;
/// The dot: its centre and radius in pixels, and its colour as ARGB.
const DOT: (f32, f32, f32) = (37.0, 37.0, 10.0);
const COLOUR: [u8; 4] = [0xff, 0xc2, 0x41, 0x0c];

/// Pixels of the program's icon, ready to be sent.
pub struct Icon {
    plain: Vec<u8>,
    dotted: Vec<u8>,
}

impl Icon {
    /// Of RGBA pixels of any size; each pixel here is the mean of those it covers.
    pub fn new(rgba: &[u8], width: u32, height: u32) -> Self {
        let mut plain = Vec::with_capacity((SIZE * SIZE * 4) as usize);
        let range = |at: u32, of: u32| (at * of / SIZE)..((at + 1) * of / SIZE).max(at * of / SIZE + 1).min(of);
        for y in 0..SIZE {
            for x in 0..SIZE {
                let mut sum = [0u32; 4];
                let mut count = 0;
                for row in range(y, height) {
                    for column in range(x, width) {
                        let at = ((row * width + column) * 4) as usize;
                        let Some(pixel) = rgba.get(at..at + 4) else { continue };
                        let alpha = u32::from(pixel[3]);
                        sum[0] += alpha;
                        for (sum, value) in sum[1..].iter_mut().zip(pixel) {
                            *sum += u32::from(*value) * alpha;
                        }
                        count += 1;
                    }
                }
                let alpha = sum[0];
                plain.push(byte(alpha, count));
                plain.extend(sum[1..].iter().map(|sum| byte(*sum, alpha)));
            }
        }
        let mut dotted = plain.clone();
        for (at, pixel) in dotted.chunks_exact_mut(4).enumerate() {
            let (x, y) = (at as u32 % SIZE, at as u32 / SIZE);
            if (x as f32 - DOT.0).hypot(y as f32 - DOT.1) <= DOT.2 {
                pixel.copy_from_slice(&COLOUR);
            }
        }
        Self { plain, dotted }
    }

    /// Pixels of a side.
    pub fn size(&self) -> i32 {
        SIZE as i32
    }

    /// ARGB in network order, with the dot or without.
    pub fn pixels(&self, dot: bool) -> Vec<u8> {
        if dot { self.dotted.clone() } else { self.plain.clone() }
    }
}

fn byte(sum: u32, count: u32) -> u8 {
    u8::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_keep_their_colour_in_another_order_and_the_dot_is_drawn_over_them() {
        let red = [200u8, 10, 20, 255].repeat(96 * 96);
        let icon = Icon::new(&red, 96, 96);
        let (plain, dotted) = (icon.pixels(false), icon.pixels(true));
        assert_eq!(plain.len(), 48 * 48 * 4);
        assert_eq!(plain[..4], [255, 200, 10, 20]);
        let centre = (37 * 48 + 37) * 4;
        assert_eq!(dotted[centre..centre + 4], COLOUR);
        assert_eq!(dotted[..4], plain[..4]);
        assert_eq!(Icon::new(&[], 0, 0).pixels(false), vec![0; 48 * 48 * 4], "no icon is a transparent one");
    }
}
