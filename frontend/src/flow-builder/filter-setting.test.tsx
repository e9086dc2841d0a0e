import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm, useWatch } from 'react-hook-form'
import { expect, test } from 'vitest'
import { signedInServer, stubServer } from '../testing/stub-server.ts'
import { FilterSetting } from './filter-setting.tsx'
import type { NodeFormValues } from './node-form-values.ts'

function Filter({ field }: { field: string }) {
  const conditions = [{ field, comparison: 'equals', value: '' }]
  const settings = { kind: 'event', event: 'campaign.replied', filter: { match: 'all', conditions } }
  const { control } = useForm<NodeFormValues>({ defaultValues: { label: '', description: '', settings } })
  return (
    <>
      <FilterSetting control={control} />
      <output>{JSON.stringify(useWatch({ control, name: 'settings.filter' }))}</output>
    </>
  )
}

test.each(['conversation.number', 'campaign.id', 'event.by'])('a value of %s is chosen by its name', async (field) => {
  const { workspace } = stubServer(signedInServer())
  const [number] = workspace.numbers.values()
  const [campaign] = workspace.campaigns.values()
  const expected: Record<string, readonly [name: string, value: string | undefined]> = {
    'conversation.number': [`${number?.displayName} (${number?.phoneNumber})`, number?.id],
    'campaign.id': [`${campaign?.name}`, campaign?.id],
    'event.by': ['A member', 'user'],
  }
  const [name = '', value] = expected[field] ?? []
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Filter field={field} />
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('combobox', { name: 'Value of condition 1' }))
  await userEvent.click(await screen.findByTitle(name))
  expect(JSON.parse(screen.getByRole('status').textContent ?? '').conditions[0].value).toBe(value)
})
