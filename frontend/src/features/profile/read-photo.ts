import {
  type Area,
  centreSquare,
  type Encoding,
  encodeToFit,
  photoMessages,
  refuseFile,
  refusePixels,
} from './photo.ts'

/** A decoded picture. `release` frees the memory behind `url` once nothing shows it any more. */
export interface Picture {
  readonly image: HTMLImageElement
  readonly url: string
  readonly width: number
  readonly height: number
  readonly release: () => void
}

/**
 * Opens any image that this browser can decode.
 * @throws Error with a message for the person: not an image, too large, not readable.
 */
export async function openPicture(file: File): Promise<Picture> {
  const refusal = refuseFile(file)
  if (refusal) throw new Error(refusal)
  const url = URL.createObjectURL(file)
  const release = () => URL.revokeObjectURL(url)
  try {
    const image = await loadImage(url)
    const { naturalWidth: width, naturalHeight: height } = image
    const pixelRefusal = refusePixels(width, height)
    if (pixelRefusal) throw new Error(pixelRefusal)
    return { image, url, width, height, release }
  } catch (error) {
    release()
    throw error
  }
}

function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => reject(new Error(photoMessages.unreadable))
    image.src = url
  })
}

/**
 * Cuts a square out of a picture, shrinks and re-encodes it until the contract takes it.
 * @param area the largest centred square where absent
 * @returns a data URL
 */
export async function encodePhoto(picture: Picture, area?: Area): Promise<string> {
  const { image, width, height } = picture
  const square = area ?? centreSquare(width, height)
  const transparent = hasTransparency(draw(image, square, Math.min(64, square.width)))
  const encode = ({ type, quality, sidePx }: Encoding) => {
    const canvas = draw(image, square, sidePx, type === 'image/jpeg')
    return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  }
  return dataUrl(await encodeToFit(square.width, transparent, encode))
}

function draw(
  image: HTMLImageElement,
  { x, y, width, height }: Area,
  sidePx: number,
  opaque = false,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(sidePx))
  canvas.height = canvas.width
  const context = canvas.getContext('2d')
  if (!context) throw new Error(photoMessages.unreadable)
  context.imageSmoothingQuality = 'high'
  if (opaque) {
    // JPEG has no transparency and would show black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return canvas
}

function hasTransparency(canvas: HTMLCanvasElement): boolean {
  const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
  for (let alpha = 3; alpha < data.length; alpha += 4) if ((data[alpha] ?? 255) < 255) return true
  return false
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(photoMessages.unreadable))
    reader.readAsDataURL(blob)
  })
}
