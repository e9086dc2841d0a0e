import type { MessageContent as Content } from '@parley/contracts/inbox/messages'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MessageContent } from '../thread/message-content.tsx'

const template = (header: Extract<Content, { type: 'template' }>['header']) =>
  render(
    <MessageContent content={{ type: 'template', templateId: 'template-1', name: 'spring', text: 'Hello', header }} />,
  )
const file = { mediaId: 'file-1', mimeType: 'application/pdf', sizeBytes: 2000, fileName: 'menu.pdf' }

test('the file of a template stands above its text', () => {
  template({ kind: 'document', ...file })
  const link = screen.getByRole('link', { name: /menu\.pdf/ })
  expect(link.getAttribute('href')).toBe('/api/media/file-1')
  expect(link.compareDocumentPosition(screen.getByText('Hello'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('so does a place, which opens on a map', () => {
  template({ kind: 'location', latitude: 12.97, longitude: 77.6, name: 'Chai & Co', address: 'MG Road' })
  expect(screen.getByRole('link', { name: /Chai & Co/ }).getAttribute('href')).toContain('mlat=12.97&mlon=77.6')
})
