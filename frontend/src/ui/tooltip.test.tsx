import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Tooltip, TooltipProvider } from './tooltip.tsx'

const Hinted = ({ name }: { name: string }) => (
  <Tooltip text={`What ${name} does`}>
    <button type="button">{name}</button>
  </Tooltip>
)

const tooltipOf = async (name: string) => {
  act(() => screen.getByRole('button', { name }).focus())
  return screen.findByRole('tooltip', { name: `What ${name} does` })
}

test('a tooltip stands in the dialog of its control, otherwise in the main landmark', async () => {
  render(
    <TooltipProvider>
      <header>
        <Hinted name="Menu" />
      </header>
      <main>
        <Hinted name="Sync" />
      </main>
      <div role="dialog" aria-label="Your key">
        <Hinted name="Copy" />
      </div>
    </TooltipProvider>,
  )
  const main = screen.getByRole('main')
  expect(main.contains(await tooltipOf('Menu'))).toBe(true)
  expect(main.contains(await tooltipOf('Sync'))).toBe(true)
  expect(screen.getByRole('dialog').contains(await tooltipOf('Copy'))).toBe(true)
})

test('a tooltip is shown where a page has no landmark', async () => {
  render(
    <TooltipProvider>
      <Hinted name="Save" />
    </TooltipProvider>,
  )
  expect(await tooltipOf('Save')).toBeTruthy()
})
