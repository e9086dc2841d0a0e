const shapes = {
  branch:
    'M7 8v8M7 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm0 13a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM17 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm0 0c0 4-4 5-8 5.5',
  check: 'm5 12.5 4.5 4.500L19 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3.5 2',
  headset: 'M4 15v-3a8 8 0 0 1 16 0v3M4 13h3v6H5.500A1.5 1.5 0 0 1 4 17.500ZM20 13h-3v6h1.500a1.5 1.5 0 0 0 1.5-1.500Z',
  lightning: 'M13 3 5 13.500h6L10 21l9-11h-6.500Z',
  message: 'M4 5h16v11.500h-8.500L7 20.500v-4H4Z',
  moon: 'M20 14.500A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.500Z',
  pause: 'M8 5v14M16 5v14',
  play: 'M8 5.500v13l10.5-6.500Z',
  replay: 'M20 12a8 8 0 1 1-2.5-5.800M20 3v5h-5',
  robot: 'M12 4v4M5 8h14v11H5ZM2.5 12v3M21.5 12v3M9 12.500v1.500M15 12.500v1.5',
  send: 'M3.5 4.5 21 12 3.5 19.5 6 12ZM6 12h7',
  shield: 'M12 3 5 5.500V11c0 4.5 3 7.8 7 10 4-2.2 7-5.5 7-10V5.500ZM9 12l2.2 2.200L15.5 10',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.6 19 19M5 19l1.4-1.400M17.6 6.4 19 5',
  tag: 'M4 4h7.500L20 12.5 12.5 20 4 11.500ZM8.5 8.500h.01',
} as const
export type GlyphName = keyof typeof shapes

/**
 * A decorative icon: hidden from assistive technology, since words always stand beside it. The landing page draws its own,
 * because @ant-design/icons would take 8 kB of the 120 kB that its scripts may weigh.
 */
export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg
      width="1.15em"
      height="1.15em"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
