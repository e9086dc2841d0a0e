import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AvatarField } from './avatar-field.tsx'
import { openPicture } from './read-photo.ts'

vi.mock('./read-photo.ts')

test('a picture is taken when it is pasted at the photo, not into another field', async () => {
  vi.mocked(openPicture).mockRejectedValue(new Error('This picture cannot be read.'))
  const problems: string[] = []
  render(
    <>
      <input aria-label="First Name" />
      <AvatarField
        name="Asha"
        value="data:image/png;base64,"
        error={undefined}
        disabled={false}
        onChange={() => {}}
        onProblem={(message) => problems.push(message)}
      />
    </>,
  )
  const clipboardData = { files: [new File(['x'], 'x.png', { type: 'image/png' })] }
  fireEvent.paste(screen.getByLabelText('First Name'), { clipboardData })
  expect(openPicture).not.toHaveBeenCalled()
  fireEvent.paste(screen.getByRole('button', { name: 'Change photo' }), { clipboardData })
  await waitFor(() => expect(problems).toEqual(['This picture cannot be read.']))
})
