import { describe, expect, test } from 'vitest'
import { declinedView, handOverView } from '../../src/views/hand-over.ts'
import { INVITER, texts } from '../words.ts'

const known = { s: 'play', role: 'فرزند (نگار)', name: 'نگار', test: 'بازی' }

describe.each(['fa', 'en'] as const)('in %s', (language) => {
  const t = texts.for(language)

  test('the hand-over names the next person', () => {
    const view = handOverView(t, known)
    expect(view.text).toBe(t('hand-over', { role: 'فرزند (نگار)', test: 'بازی' }))
    expect(view.keyboard?.flat()).toEqual([
      { text: t.plain('button-hand-over', { role: 'نگار' }), callback_data: 'ready:play', style: 'primary' },
    ])
  })

  test.each(['participant', 'organizer', 'both'] as const)(
    'a minor reads who sees the result (%s), and can agree or decline',
    (resultTo) => {
      const view = handOverView(t, { ...known, consent: resultTo })
      expect(view.text).toContain(t('hand-over', { role: 'فرزند (نگار)', test: 'بازی' }))
      expect(view.text).toContain(t(`roadmap-result-${resultTo}`))
      // If only the organizer gets the result, no participant sees it.
      expect(view.text.includes(t('roadmap-result-shared'))).toBe(resultTo !== 'organizer')
      expect(view.keyboard?.flat().map((each) => 'callback_data' in each && each.callback_data)).toEqual([
        'ready:play',
        'decline:play',
      ])
    },
  )

  test('a person who declines reads who helps, and can go back', () => {
    const view = declinedView(t, { board: 'kin', test: 'بازی' })
    expect(view.text).toContain(INVITER.organizerContact)
    expect(view.keyboard?.flat()).toEqual([{ text: t.plain('button-board'), callback_data: 'open:kin' }])
  })
})
