import { lastContactRanges } from '@parley/contracts/contacts/contacts'
import { describeConditions } from '@parley/rules/describe-conditions'
import { useQuery } from '@tanstack/react-query'
import { useLabelOf } from '../../../lib/choices/attributes.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { useTags } from '../../../lib/choices/tags.ts'
import { firstPage } from '../../../ui/cursor-pager.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { importOptions } from '../import/api.ts'
import type { ChangeUrl, ContactsUrl } from '../url.ts'

const rangeNames: Record<(typeof lastContactRanges)[number], string> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  older: 'More than 90 days ago',
  never: 'Never',
}

/** Filter by tag, by last contact, and by conditions of any kind. */
export function ContactFilters({ url, change }: { url: ContactsUrl; change: ChangeUrl }) {
  const tags = useTags()
  const labelOf = useLabelOf()
  const mayNotImport = useIsRefused('contacts:import')
  const { data: imported } = useQuery({
    ...importOptions(url.imported ?? ''),
    enabled: url.imported !== undefined && !mayNotImport,
  })
  const names = [...new Set([...tags.map(({ name }) => name), ...(url.tags ?? [])])]
  return (
    <FilterMenu
      groups={[
        ...(url.imported
          ? [
              {
                name: 'imported',
                label: 'Import',
                many: false,
                options: [{ value: url.imported, label: imported?.fileName ?? 'a file' }],
                chosen: [url.imported],
              },
            ]
          : []),
        {
          name: 'tags',
          label: 'Tag',
          many: true,
          options: names.map((name) => ({ value: name, label: name })),
          chosen: url.tags ?? [],
        },
        {
          name: 'last',
          label: 'Last contact',
          many: false,
          options: lastContactRanges.map((value) => ({ value, label: rangeNames[value] })),
          chosen: url.last ? [url.last] : [],
        },
      ]}
      other={{
        label: 'More conditions…',
        text: url.conditions?.conditions.length ? describeConditions(url.conditions, labelOf) : undefined,
        onOpen: () => change({ build: 'filter' }),
        onRemove: () => change({ conditions: undefined, ...firstPage }),
      }}
      onChange={(chosen) => change({ ...chosen, ...firstPage })}
    />
  )
}
