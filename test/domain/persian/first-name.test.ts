import { expect, test } from 'vitest'
import { firstName, isSingleName } from '../../../src/domain/persian/first-name.ts'

test.each([
  ['سارا', 'سارا'],
  ['سارا راد', 'سارا'],
  ['محمد رضا راد', 'محمد رضا'],
  ['محمد راد', 'محمد'],
  ['سارا بهرامی راد', 'سارا'],
  ['خانم دکتر مریم احمدی', 'مریم'],
  ['آقای امیر حسینی', 'امیر'],
  ['جناب آقای حاج محمد رضا راد', 'محمد رضا'],
  ['Dr. Sara Rad', 'Sara'],
  ['MRS Sara Rad', 'Sara'],
  ['حاجی', 'حاجی'],
  ['خانم دکتر', 'دکتر'],
])('the first name of %s is %s', (name, first) => {
  expect(firstName(name)).toBe(first)
})

test.each([
  ['سارا', true],
  ['خانم احمدی', true],
  ['سرکار خانم دکتر احمدی', true],
  ['حاج آقا', true],
  ['سارا راد', false],
  ['آقای دکتر رضا راد', false],
])('%s is a single name: %s', (name, isSingle) => {
  expect(isSingleName(name)).toBe(isSingle)
})
