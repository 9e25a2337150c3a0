package dev.semel.http.servlet;

import dev.semel.OutcomeUnknownException;
import dev.semel.http.TransactionRunner;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** An application of Spring MVC and Spring's transactions, without any code for the filter. */
final class SpringApplication implements TestServer.Handler {

    private final DataSource dataSource;
    private DispatcherServlet servlet;

    SpringApplication(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** As in the documentation. */
    TransactionRunner transactionRunner() {
        TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        return work -> template.executeWithoutResult(status -> work.on(DataSourceUtils.getConnection(dataSource)));
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        servlet(request.getServletContext()).service(request, response);
    }

    private synchronized DispatcherServlet servlet(ServletContext servletContext) throws ServletException {
        if (servlet == null) {
            AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
            context.register(Wiring.class);
            context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("dataSource", dataSource));
            DispatcherServlet starting = new DispatcherServlet(context);
            starting.init(new Config(servletContext));
            servlet = starting;
        }
        return servlet;
    }

    private record Config(ServletContext context) implements ServletConfig {

        @Override
        public String getServletName() {
            return "application";
        }

        @Override
        public ServletContext getServletContext() {
            return context;
        }

        @Override
        public String getInitParameter(String name) {
            return null;
        }

        @Override
        public Enumeration<String> getInitParameterNames() {
            return Collections.emptyEnumeration();
        }
    }

    @Configuration
    @EnableWebMvc
    @EnableTransactionManagement
    static class Wiring {

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        Payments payments(JdbcTemplate jdbc) {
            return new Payments(jdbc);
        }

        @Bean
        PaymentsController controller(Payments payments) {
            return new PaymentsController(payments);
        }
    }

    static class InsufficientStockException extends RuntimeException {}

    @Transactional
    static class Payments {

        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        void pay() {
            jdbc.update("INSERT INTO written SELECT 1 + count(*), ? FROM written", "paid");
        }

        void payAndThrow(RuntimeException failure) {
            pay();
            throw failure;
        }
    }

    @RestController
    static class PaymentsController {

        private final Payments payments;

        PaymentsController(Payments payments) {
            this.payments = payments;
        }

        @PostMapping("/payments")
        ResponseEntity<String> pay() {
            payments.pay();
            return ResponseEntity.status(HttpStatus.CREATED).body("paid");
        }

        @PostMapping("/decline")
        ResponseEntity<String> decline() {
            payments.pay();
            return ResponseEntity.status(HttpStatus.CONFLICT).body("insufficient stock");
        }

        @PostMapping("/throw")
        ResponseEntity<String> payAndThrow() {
            payments.payAndThrow(new InsufficientStockException());
            return ResponseEntity.ok("never");
        }

        @ExceptionHandler
        ResponseEntity<String> insufficient(InsufficientStockException failure) {
            return ResponseEntity.status(HttpStatus.CONFLICT).body("insufficient stock");
        }

        @PostMapping("/swallow")
        ResponseEntity<String> swallow() {
            try {
                payments.payAndThrow(new InsufficientStockException());
            } catch (InsufficientStockException e) {
                // The transaction is marked for rollback all the same.
            }
            return ResponseEntity.status(HttpStatus.CREATED).body("paid");
        }

        @PostMapping("/doubt")
        ResponseEntity<String> doubt() {
            payments.payAndThrow(new OutcomeUnknownException("the bank did not answer"));
            return ResponseEntity.ok("never");
        }

        @PostMapping("/later")
        CompletableFuture<String> later() {
            payments.pay();
            return CompletableFuture.completedFuture("paid");
        }
    }
}
