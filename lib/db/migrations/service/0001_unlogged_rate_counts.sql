-- Counts of requests change with every request, and a crash may forget them: no write-ahead log, so no flush at commit.
ALTER TABLE "service"."rate_counts" SET UNLOGGED;
