import sharp from 'sharp'

/** A PNG, made here so that no picture has to be shipped. */
export const pngPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#257881' } })
    .png()
    .toBuffer()
