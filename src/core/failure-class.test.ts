import { describe, expect, it } from 'vitest';
import { classifyError } from './failure-class.ts';

const NOON = Date.UTC(2026, 5, 10, 12);

describe('classifyError', () => {
  it.each([
    ['a 5-hour limit', "rate_limit: You've hit your 5-hour limit · resets 5:28pm (UTC)", Date.UTC(2026, 5, 10, 17, 28)],
    ['a weekly limit', "You've hit your weekly limit · resets Jun 12, 9am (UTC)", Date.UTC(2026, 5, 12, 9)],
    ['a usage limit', 'Claude AI usage limit reached|1781100000', 1_781_100_000_000],
  ])('waits for the end of %s', (_, text, resumeAt) => {
    expect(classifyError(text, NOON)).toEqual({ class: 'usage-limit', resumeAt });
  });

  it.each([
    ['fatal', 'billing_error: Credit balance is too low'],
    ['fatal', 'status 402: Payment Required'],
    ['fatal', 'Quota exceeded. Check your plan and billing details.'],
    ['fatal', 'status 429: You exceeded your current quota, please check your plan and billing details.'],
    ['fatal', 'rate limit: Quota exceeded. Check your plan and billing details. (insufficient_quota)'],
    [
      'usage-limit',
      'status 429: You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10 (RESOURCE_EXHAUSTED)',
    ],
    ['transient', "We're currently experiencing high demand, which may cause temporary errors."],
    ['fatal', 'authentication_failed: Please run /login'],
    [
      'rate-limit',
      "rate_limit: API Error: Request rejected (429) · This request would exceed your account's rate limit.",
    ],
    [
      'rate-limit',
      'rate_limit: API Error: 429 Number of requests has exceeded your rate limit. Please try again later.',
    ],
    ['rate-limit', 'You have hit your rate-limit.'],
    ['usage-limit', 'You have hit your weekly limit.'],
    ['transient', 'server_error: API Error: 500 The fake model was told to fail.'],
    ['unknown', 'unknown: API Error: 400 what'],
    ['unknown', 'status 0: the turn failed'],
  ])('calls it %s: %s', (expected, text) => {
    expect(classifyError(text, NOON)).toEqual({ class: expected });
  });
});
