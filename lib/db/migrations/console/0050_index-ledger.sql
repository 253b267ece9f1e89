CREATE TABLE "console"."index_ledger" (
	"environment" text NOT NULL,
	"id" text NOT NULL,
	"account_id" text,
	"intent" text,
	"status" text,
	"currency" text,
	"amount" numeric(24, 8),
	"time" timestamp (3) with time zone,
	"position" numeric(24, 8),
	"search_text" text NOT NULL,
	"record" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"reading" bigint NOT NULL,
	CONSTRAINT "index_ledger_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "console"."index_ledger_progress" (
	"environment" text PRIMARY KEY NOT NULL,
	"reading" bigint DEFAULT 0 NOT NULL,
	"reading_since" timestamp (3) with time zone,
	"as_of" timestamp (3) with time zone,
	"excluded" integer DEFAULT 0 NOT NULL,
	"stopped_because" text,
	"records" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "index_ledger_id" ON "console"."index_ledger" USING btree ("environment",lower(id));--> statement-breakpoint
CREATE INDEX "index_ledger_by_position" ON "console"."index_ledger" USING btree ("environment","position","id");--> statement-breakpoint
CREATE INDEX "index_ledger_by_amount" ON "console"."index_ledger" USING btree ("environment","currency","amount","id");--> statement-breakpoint
CREATE INDEX "index_ledger_account" ON "console"."index_ledger" USING btree ("environment",lower(account_id),"position","id");--> statement-breakpoint
CREATE INDEX "index_ledger_intent" ON "console"."index_ledger" USING btree ("environment","intent","position","id");--> statement-breakpoint
CREATE INDEX "index_ledger_status" ON "console"."index_ledger" USING btree ("environment","status","position","id");--> statement-breakpoint
CREATE INDEX "index_ledger_totals" ON "console"."index_ledger" USING btree ("environment","currency","status","intent","amount","time");--> statement-breakpoint
DO $$
DECLARE extension_schema name;
BEGIN
  SELECT n.nspname INTO extension_schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "index_ledger_search" ON "console"."index_ledger" USING gin ("search_text" %I.gin_trgm_ops)', extension_schema);
  END IF;
END
$$;
