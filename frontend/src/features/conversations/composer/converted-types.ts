/** Browsers on Windows do not know the type of HEIC. */
export const isHeic = ({ name, type }: File): boolean => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)
export const isWebp = ({ type }: File): boolean => type === 'image/webp'
export const isWebm = ({ type }: File): boolean => /^(audio|video)\/webm/.test(type)

/** Returns whether a WebP file moves (RFC 9649). */
export async function isAnimated(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 21).arrayBuffer())
  return String.fromCharCode(...head.subarray(12, 16)) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0
}

/** Returns whether a file is converted before it is sent, though WhatsApp does not take its type. */
export const isConverted = (file: File): boolean => isHeic(file) || isWebp(file) || isWebm(file)
