import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

test('the tab Team shows how members answer, and a counter opens its rows', async () => {
  stubServer(signedInServer())
  await openApp('/analytics')
  await userEvent.click(await screen.findByRole('tab', { name: 'Team' }))
  const panel = within(await screen.findByRole('region', { name: 'Team' }))
  const [, first, second, bots] = panel.getAllByRole('row')
  const cells = (row: HTMLElement | undefined) =>
    within(row ?? document.body)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent?.split(':')[0])
  expect(cells(first)).toEqual(['30', '≤ 5 min', '> 24 h', '2', '75.0%', '5', '≤ 2 h', '4.5 (2)', '3', '40'])
  expect(within(second ?? document.body).getByRole('rowheader').textContent).toBe('Sonia Rao')
  expect(cells(second)).toEqual(['0', '–', '–', '0', '–', '0', '–', '–', '0', '0'])
  expect(within(bots ?? document.body).getByRole('rowheader').textContent).toBe('Bots')
  expect(cells(bots)).toEqual(['12', '–', '–', '–', '–', '1', '–', '–', '–', '31'])
  const open = panel.getAllByRole('link', { name: /open conversations of/ })[0]
  expect(open?.getAttribute('href')).toBe('/conversations?owner=user-1&show=open')
  await userEvent.click(panel.getAllByRole('link', { name: /customers answered by/ })[0] as HTMLElement)
  const drawer = within(await screen.findByRole('dialog'))
  expect(drawer.getByText('Customers answered')).toBeTruthy()
  expect(window.location.search).toBe('?tab=team&rows=replied&by=member%3Auser-1')
})
