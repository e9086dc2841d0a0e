import { type Attribute, attributesApi } from '@parley/contracts/contacts/contact-attributes'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceStaleMs } from './stale.ts'

export const attributeChoices = () =>
  queryOptions({
    queryKey: choiceKeys.attributes,
    queryFn: async ({ signal }) => (await call(attributesApi.list, { signal })).items,
    staleTime: choiceStaleMs,
  })

const none: readonly Attribute[] = []

/** The fields that the workspace has defined for its contacts; none while they are read. */
export const useAttributes = (): readonly Attribute[] => useQuery(attributeChoices()).data ?? none

/** Returns a lookup of the workspace's field labels by stored name; undefined where a field is not defined. */
export function useLabelOf(): (name: string) => string | undefined {
  const attributes = useAttributes()
  return (name) => attributes.find((attribute) => attribute.name === name)?.label
}

/** Returns the label of a field: that of its definition, else `City`, `Last order`. */
export const attributeLabel = (name: string, attributes: readonly Attribute[]): string =>
  attributes.find((attribute) => attribute.name === name)?.label ??
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
