import type { MessageContent } from '@parley/contracts/messages'

/** Pictures are drawn here, so that the sample loads nothing from elsewhere. */
const drawing = (body: string, background: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240"><rect width="320" height="240" fill="${background}"/>${body}</svg>`,
  )}`

const kettle = drawing(
  '<ellipse cx="160" cy="196" rx="92" ry="10" fill="#0003"/><path d="M92 110h128l-12 78H104z" fill="#3d4c54"/><path d="M216 128l44-26 8 12-48 42z" fill="#3d4c54"/><path d="M104 108c0-60 108-60 108 0" fill="none" stroke="#8a5a33" stroke-width="9"/><rect x="134" y="98" width="48" height="14" rx="7" fill="#26333a"/><circle cx="158" cy="92" r="8" fill="#8a5a33"/>',
  '#e9dcc6',
)
const tins = drawing(
  '<rect x="58" y="76" width="60" height="108" rx="6" fill="#2f6b4f"/><rect x="130" y="60" width="60" height="124" rx="6" fill="#b4532a"/><rect x="202" y="90" width="60" height="94" rx="6" fill="#c9962f"/><g fill="#fff9"><rect x="66" y="112" width="44" height="30" rx="3"/><rect x="138" y="100" width="44" height="36" rx="3"/><rect x="210" y="122" width="44" height="26" rx="3"/></g>',
  '#dfe7dd',
)
const brokenCup = drawing(
  '<path d="M96 86h112l-14 92h-84z" fill="#b5683c"/><path d="M208 104c48-6 44 52-6 46" fill="none" stroke="#b5683c" stroke-width="12"/><path d="M128 86l14 34-12 20 16 38" fill="none" stroke="#3b1d0d" stroke-width="4"/><path d="M214 190l30-8 8 16-34 4z" fill="#b5683c"/>',
  '#eee6da',
)
const smile = drawing(
  '<circle cx="160" cy="120" r="84" fill="#f3c94b"/><circle cx="130" cy="102" r="9"/><circle cx="190" cy="102" r="9"/><path d="M116 138c20 36 68 36 88 0" fill="none" stroke="#000" stroke-width="8" stroke-linecap="round"/>',
  'none',
)

const image = (url: string, sizeBytes: number, caption?: string): MessageContent => ({
  type: 'image',
  url,
  mimeType: 'image/svg+xml',
  sizeBytes,
  ...(caption && { caption }),
})

/** One page that says what it is, small enough to travel inside the record. */
const pdf = (text: string): string => {
  const stream = `BT /F1 18 Tf 60 760 Td (${text}) Tj ET`
  return `data:application/pdf;base64,${btoa(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n4 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
  )}`
}

const document = (fileName: string, text: string, sizeBytes: number): MessageContent => ({
  type: 'document',
  url: pdf(text),
  mimeType: 'application/pdf',
  sizeBytes,
  fileName,
})

/** What people send beside text. A recording has no `url`: the sample ships none. */
export const media = {
  kettle: (caption?: string) => image(kettle, 84_210, caption),
  tins: (caption?: string) => image(tins, 121_804, caption),
  brokenCup: (caption?: string) => image(brokenCup, 96_377, caption),
  sticker: (): MessageContent => ({ type: 'sticker', url: smile, mimeType: 'image/svg+xml', sizeBytes: 18_230 }),
  voice: (): MessageContent => ({ type: 'audio', url: '', mimeType: 'audio/ogg', sizeBytes: 42_118, voice: true }),
  video: (caption: string): MessageContent => ({
    type: 'video',
    url: '',
    mimeType: 'video/mp4',
    sizeBytes: 2_418_334,
    caption,
  }),
  invoice: () => document('Invoice {order}.pdf', 'Chai & Co - Invoice', 48_112),
  priceList: () => document('Chai & Co wholesale price list.pdf', 'Chai & Co - Wholesale price list', 318_400),
} as const
