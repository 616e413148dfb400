#!/usr/bin/env node
// Committed, unlike dist/: package managers link a bin at install time, and only when it is there.
import '../dist/main.js';
