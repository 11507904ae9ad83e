import { PNG } from 'pngjs';

/** A dusk over mountains, 96 × 64 pixels, as a JPEG file. */
export function jpegBytes(): Uint8Array {
  return Uint8Array.from(atob(JPEG.join('')), (character) => character.charCodeAt(0));
}

/** A blue disc that fades out at its edge, 64 × 64 pixels, as a PNG file with transparency. */
export function pngBytes(): Uint8Array {
  const size = 64;
  const png = new PNG({ width: size, height: size });
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const reach = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) / (size / 2);
      png.data.set(
        [30, 110 + y, 220, reach > 1 ? 0 : Math.round(255 * Math.min(1, 3 * (1 - reach)))],
        4 * (y * size + x),
      );
    }
  }
  return new Uint8Array(PNG.sync.write(png));
}

/** A frame with corners of their own and a clear middle, 48 × 48 pixels, as a PNG file. */
export function framePng(): Uint8Array {
  const size = 48;
  const png = new PNG({ width: size, height: size });
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const edge = Math.min(x, y, size - 1 - x, size - 1 - y);
      const corner = (x < 12 || x >= 36) && (y < 12 || y >= 36);
      const colour = corner ? [150, 60, 30, 255] : edge < 8 ? [200, 160 + edge * 5, 90, 255] : [0, 0, 0, 0];
      png.data.set(colour, 4 * (y * size + x));
    }
  }
  return new Uint8Array(PNG.sync.write(png));
}

/** From black at the left to white at the right, opaque, 64 × 16 pixels, as a PNG file. */
export function bandPng(): Uint8Array {
  const png = new PNG({ width: 64, height: 16 });
  for (let at = 0; at < 64 * 16; at++) {
    const light = Math.round(((at % 64) / 63) * 255);
    png.data.set([light, light, light, 255], 4 * at);
  }
  return new Uint8Array(PNG.sync.write(png));
}

const JPEG = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAA',
  'AABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAA',
  'ABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAA',
  'AAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAA',
  'AAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAA',
  'AABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDAAYEBQYF',
  'BAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMK',
  'ChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCABAAGADASIAAhEB',
  'AxEB/8QAGwABAQADAQEBAAAAAAAAAAAAAAUEBgcIAwL/xAA0EAABAwMCBAQEAwkAAAAAAAABAAIDBBRhBREGEiExQVFxgQcT',
  'ItEykaEzQkNSU2KisfD/xAAaAQACAwEBAAAAAAAAAAAAAAAAAQIFBgME/8QAJhEAAQMEAAUFAQAAAAAAAAAAAAECEQMEFCEF',
  'EhMiMSNRkdHhQv/aAAwDAQACEQMRAD8A0C1wlrhXbXCWuFYZR5cchWuEtcK7a4S1wjKDHIVrhLXCu2uEtcIygxyFa4S1wrtr',
  'hLXCMoMchWuEtcK7a4S1wjKDHIVrhLXCu2uEtcIygxy7a4S1wr1rhLXCzWUX2OQbXCWuFTbPRu1F1A2oiNY1nOYQfqAWXa4T',
  'W5VPIkt0XwQbXCWuFetcJa4Syh45CFJuQANytmoPh/rFZTiX5UUAI3DZncrj7AHb3VjgTTYZ9fY6docIWGVoP8wI2/3v7LqS',
  'g+7d/JB1JGrCnn3V+Hq3SJxFXQGMn8Lh1a70KwLXC7xxdRRVugVbZmgmNhlYT4OA/wCHuuS2uFJt2qpsbaKO8EG1wlrhXrXC',
  'WuE8oljlswNA3JH5rl3HvxBipTJp/Dz2yT/hkqh1azDPM57evhrnG/H1VrIkotNc+n089HHs+b18hj8/JaIuljw1U9Sv8fZC',
  '7v0Xso/P0ZNNXVVNXsrYZ5G1bX/MEu+7ubzPmu/8CcSUvFGnc30xV8IAnh3/AMm4P6dl53Wdo2qVWj6jFW0EhjmjPs4eII8Q',
  'V7r2zS4ZrTk8HjtblaD97RfJ6ht24S3bhavw1xVT67pzaiA8ko6SxE9WO+3kV89f4y07RGG6m559txBH1eft7rL9Gtz9ONmi',
  '56XJ1J0bvpcrtPro6mIjdp6jfuPELfKfWqCeMOuGRnbq2Q8pC8ccT8fatrYfDG80dGenyondXD+53c+nQLH4f431vROWOKpN',
  'RTD+DPu5oGD3HsdlZs4XcIyVVJ9v0rKt7Qe+IWPf8PWnE2tRVNM6ko38zXftH9gR5BanbtwufaF8StN1DljrOahnPhId2H0d',
  '99ltrNRa9jXseHNI3BB3BVbWpVqboekFhQWi5vprJUt24S3bhTb7KX2Vy7zvytPMSIi3JjgiIgDKoK+q0+R76KeSF72ljiw7',
  'bhY73Oe8ue4uc47kk7klflEoSZHKxARETEFS0nW9Q0p29FUvYzfcxnqw+xU1EnNa9IckoSa5WrLVhTo+k8fxSgM1KIwv/qR7',
  'lp9u4/VbRT6rFURCSCVkjD+807hcQX3paqekk+ZTSvjd5tPf181W1uGU3bp6LGjxN7dVEk//2Q==',
];
