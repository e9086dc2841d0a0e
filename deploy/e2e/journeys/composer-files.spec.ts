import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { field, messages, priya, row } from '../src/inbox.ts'
import { inspectStanding } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const drawing = (alpha: number) =>
  sharp({ create: { width: 512, height: 512, channels: 4, background: { r: 40, g: 160, b: 120, alpha } } })

/** Records a tone, or a picture with it, as browsers do: WebM. */
async function recorded(page: Page, withPicture: boolean): Promise<Buffer> {
  const bytes = await page.evaluate(async (isFilm) => {
    const context = new AudioContext()
    const tone = context.createOscillator()
    const sound = context.createMediaStreamDestination()
    tone.connect(sound)
    tone.start()
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')?.fillRect(0, 0, 64, 64)
    const tracks = [...sound.stream.getTracks(), ...(isFilm ? canvas.captureStream(10).getTracks() : [])]
    const mimeType = isFilm ? 'video/webm;codecs=vp8,opus' : 'audio/webm;codecs=opus'
    const recorder = new MediaRecorder(new MediaStream(tracks), { mimeType })
    const chunks: Blob[] = []
    recorder.ondataavailable = ({ data }) => void chunks.push(data)
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    recorder.stop()
    await ended
    return [...new Uint8Array(await new Blob(chunks).arrayBuffer())]
  }, withPicture)
  return Buffer.from(bytes)
}

test('pictures and recordings that WhatsApp does not take are made what it takes, or refused with what to do', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await phones.write(priya, 'Do you have pictures?')
  await page.goto('/conversations')
  await row(page, priya.name).click()
  await expect(field(page)).toBeVisible()
  const attachments = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  const cmyk = await drawing(1).flatten().toColourspace('cmyk').jpeg().toBuffer()
  const deep = await drawing(1).removeAlpha().toColourspace('rgb16').png().toBuffer()
  // Too large for a picture, it goes as a document: as it is.
  const noise = {
    create: { width: 1400, height: 1400, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  } as const
  const print = await sharp({ create: { ...noise.create, background: 'white' } })
    .toColourspace('cmyk')
    .jpeg({ quality: 100 })
    .toBuffer()
  const heic = Buffer.from('0000001c667479706865696300000000686569636d696631', 'hex')
  const files = [
    { name: 'leaf.webp', mimeType: 'image/webp', buffer: await drawing(1).webp().toBuffer() },
    { name: 'badge.webp', mimeType: 'image/webp', buffer: await drawing(0.4).webp().toBuffer() },
    { name: 'print.jpg', mimeType: 'image/jpeg', buffer: cmyk },
    { name: 'deep.png', mimeType: 'image/png', buffer: deep },
    { name: 'note.webm', mimeType: 'video/webm', buffer: await recorded(page, false) },
    { name: 'film.webm', mimeType: 'video/webm', buffer: await recorded(page, true) },
    { name: 'poster.jpg', mimeType: 'image/jpeg', buffer: print },
    // On Windows browsers do not know the type.
    { name: 'IMG_1.HEIC', mimeType: '', buffer: heic },
  ]
  await page.getByLabel('Files to send').setInputFiles(files)
  await expect(attachments).toHaveCount(8)
  expect(print.length).toBeGreaterThan(5 * 1024 * 1024)
  await expect(attachments.filter({ hasText: 'poster.jpg' })).toContainText('Document')
  for (const name of ['leaf.jpg', 'badge.png', 'print.jpg', 'deep.jpg'])
    await expect(attachments.filter({ hasText: name }).getByRole('img', { name: 'Photo' })).toBeVisible()
  await expect(attachments.filter({ hasText: 'note.ogg' }).getByRole('button', { name: /^Play/ })).toBeVisible()
  await expect(attachments.filter({ hasText: 'film.webm' }).getByRole('alert')).toContainText('MP4 (H.264)')
  await expect(attachments.filter({ hasText: 'IMG_1.HEIC' }).getByRole('alert')).toContainText('Most Compatible')

  await page.getByRole('button', { name: 'Send as a sticker' }).last().click()
  await expect(attachments.filter({ hasText: 'badge.webp' }).getByRole('img', { name: 'Sticker' })).toBeVisible()
  await inspectStanding(page, 'files before they are sent')
  for (const name of ['poster.jpg', 'film.webm', 'IMG_1.HEIC'])
    await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(messages(page).getByRole('button', { name: /^Open photo/ })).toHaveCount(3)
  await expect(messages(page).getByRole('img', { name: 'Sticker' })).toBeVisible()
  const arrived = async () => JSON.stringify(await phones.look(`/messages?to=${encodeURIComponent(priya.phone)}`))
  await expect.poll(arrived).toMatch(/"type":"sticker"/)
  await expect.poll(arrived).toMatch(/"type":"audio"/)
})
