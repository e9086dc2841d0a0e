import { tagNameSchema } from '@parley/contracts/contacts/tags'
import { Select } from 'antd'
import { useState } from 'react'
import { useTags } from '../../../lib/choices/tags.ts'
import { popupInside } from '../../../ui/popup-inside.ts'

/** Tags with suggestions; Enter or a comma makes a new one. What cannot be a tag is left out. */
export function TagSelect({
  value,
  onChange,
  ...field
}: {
  id: string
  value: readonly string[]
  onChange: (tags: string[]) => void
  onBlur?: () => void
  status?: 'error'
}) {
  const tags = useTags()
  const [open, setOpen] = useState(false)
  return (
    <Select
      {...field}
      mode="tags"
      open={open}
      onOpenChange={setOpen}
      // Otherwise the list stays over the button that comes next; typing opens it again.
      onSelect={() => setOpen(false)}
      value={[...value]}
      onChange={(chosen) => onChange(namesOf(chosen))}
      options={tags.map(({ name }) => ({ value: name, label: name }))}
      tokenSeparators={[',']}
      maxCount={50}
      placeholder="Choose or type a tag"
      getPopupContainer={popupInside}
    />
  )
}

/** Returns the names as typed, without invalid ones, each once whatever its case. */
function namesOf(chosen: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const text of chosen) {
    const { data } = tagNameSchema.safeParse(text.slice(0, 40))
    if (data && !byKey.has(data.toLowerCase())) byKey.set(data.toLowerCase(), data)
  }
  return [...byKey.values()]
}
