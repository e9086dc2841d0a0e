import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { paths } from '../../app/paths.ts'
import { openApp } from '../../testing/open-app.tsx'
import { signedOutServer, stubServer } from '../../testing/stub-server.ts'
import { demoAfter, script } from './demo/demo-script.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function openLanding() {
  stubServer(signedOutServer)
  await openApp('/')
  await screen.findByRole('heading', { level: 1 })
}

const hrefs = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '')

test('every link leads to a screen, a part of the page, or a mailbox', async () => {
  await openLanding()
  // The server itself answers the reference of the public API.
  const screens: string[] = [...Object.values(paths), '/v1/docs']
  const links = hrefs(document.body)
  expect(links.length).toBeGreaterThan(15)
  for (const href of links) {
    const [path = '', part] = href.split('#')
    if (href.startsWith('mailto:')) expect(href).toMatch(/^mailto:[a-z]+@[a-z.]+/)
    else if (part !== undefined) expect(document.getElementById(part), href).not.toBeNull()
    else expect(screens, href).toContain(path)
  }
})

test('header and hero lead to signing up, signing in and the parts of the page', async () => {
  await openLanding()
  const target = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('href')
  expect(target('Sign In')).toBe('/login')
  expect(target('Get Started')).toBe('/signup')
  expect(target('Start Free Trial')).toBe('/dashboard')
  for (const name of ['Features', 'Pricing', 'Docs']) expect(target(name)).toBe(`/#${name.toLowerCase()}`)
  expect(screen.getAllByText(/14-day free trial/i).length).toBeGreaterThan(0)
  expect(screen.getAllByText(/no credit card/i).length).toBeGreaterThan(0)
})

test.each([
  ['Visual Chatbot Builder'],
  ['Broadcast Campaigns'],
  ['Real-time Analytics'],
  ['Contact Management'],
  ['Template Manager'],
  ['Workflow Automation'],
  ['Enterprise Security'],
  ['Lightning Fast'],
  ['24/7 Support'],
])('there is a card named %s', async (name) => {
  await openLanding()
  expect(screen.getByRole('heading', { level: 3, name })).toBeTruthy()
})

test('Lightning Fast says 99.9% uptime, and the footer has its three columns', async () => {
  await openLanding()
  expect(screen.getByText(/99\.9% uptime/)).toBeTruthy()
  for (const name of ['Product', 'Resources', 'Company']) {
    expect(hrefs(screen.getByRole('navigation', { name })).length).toBeGreaterThan(2)
  }
})

test.each([
  ['Free Trial', ['₹0', 'for 14 days', '1,000 messages', '1 WhatsApp number', '2 team members', 'Email support']],
  ['Starter', ['₹999', 'per month', '25,000 messages', '1 WhatsApp number', '2 team members', 'Priority support']],
  ['Growth', ['₹2,999', '100,000 messages', '2 WhatsApp numbers', '5 team members', '24/7 support', 'Most popular']],
  ['Pro', ['₹5,999', '200,000 messages', '10 team members', 'Custom AI training', 'Dedicated and 24/7 support']],
])('the plan %s shows its row of the price list', async (name, cells) => {
  await openLanding()
  const card = screen.getByRole('heading', { level: 3, name }).closest('li')
  for (const cell of cells) expect(card?.textContent).toContain(cell)
  expect(card?.textContent?.includes('Most popular')).toBe(name === 'Growth')
  expect(card?.textContent?.includes('Contact Sales')).toBe(name === 'Pro')
})

test('Watch Demo plays the inbox from its start and lets it be paused', async () => {
  await openLanding()
  vi.useFakeTimers()
  const log = screen.getByRole('log', { name: 'Messages' })
  fireEvent.click(screen.getByRole('button', { name: 'Watch Demo' }))
  expect(log.textContent).not.toContain('order 4127')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Demo of the Parley inbox' }))
  expect(log.getAttribute('aria-live')).toBe('polite')

  fireEvent.click(screen.getByRole('button', { name: 'Pause demo' }))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(log.textContent).not.toContain('order 4127')

  fireEvent.click(screen.getByRole('button', { name: 'Play demo' }))
  for (const beat of script) await act(() => vi.advanceTimersByTimeAsync(beat.afterMs))
  for (const { text } of demoAfter(script.length).messages) expect(log.textContent).toContain(text)
  expect(screen.getByRole('button', { name: 'Replay demo' })).toBeTruthy()
})

test('a visitor who prefers reduced motion sees the whole story at rest', async () => {
  const matchMedia = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    query.includes('reduced-motion')
      ? Object.defineProperty(matchMedia(query), 'matches', { value: true })
      : matchMedia(query),
  )
  await openLanding()
  expect(screen.getByRole('button', { name: 'Replay demo' })).toBeTruthy()
  expect(screen.getByRole('log').textContent).toContain(demoAfter(script.length).messages.at(-1)?.text)
})
