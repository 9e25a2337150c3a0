// A service that takes payments. It knows nothing of Semel, and books every request that it gets.
//
//	POST /payments        {"order": "o-1", "amount": 100}    books a payment, 201
//	GET  /payments/o-1                                        that payment, or 404
//
//	go run payments.go [PORT] [LEDGER]
//
// PAUSE_BEFORE and PAUSE_AFTER are seconds before and after a payment is booked, in which the service can be killed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type payment struct {
	ID     int    `json:"id"`
	Order  string `json:"order"`
	Amount int    `json:"amount"`
}

var (
	ledger  = argument(2, "payments.ledger")
	writing sync.Mutex
)

func argument(index int, otherwise string) string {
	if len(os.Args) > index {
		return os.Args[index]
	}
	return otherwise
}

func pause(variable string) {
	if seconds, err := strconv.ParseFloat(os.Getenv(variable), 64); err == nil {
		time.Sleep(time.Duration(seconds * float64(time.Second)))
	}
}

func booked() ([]payment, error) {
	file, err := os.Open(ledger)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []payment
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var each payment
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			return nil, err
		}
		all = append(all, each)
	}
	return all, lines.Err()
}

func book(made payment) (payment, error) {
	writing.Lock()
	defer writing.Unlock()
	all, err := booked()
	if err != nil {
		return made, err
	}
	made.ID = len(all) + 1
	file, err := os.OpenFile(ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return made, err
	}
	defer file.Close()
	if err := json.NewEncoder(file).Encode(made); err != nil {
		return made, err
	}
	return made, file.Sync()
}

func answer(response http.ResponseWriter, status int, content any) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	json.NewEncoder(response).Encode(content)
}

func create(response http.ResponseWriter, request *http.Request) {
	var made payment
	if err := json.NewDecoder(request.Body).Decode(&made); err != nil {
		answer(response, http.StatusBadRequest, map[string]string{"error": "this is no payment"})
		return
	}
	fmt.Println("received", made.Order)
	pause("PAUSE_BEFORE")
	made, err := book(made)
	if err != nil {
		answer(response, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	fmt.Println("booked", made.Order)
	pause("PAUSE_AFTER")
	answer(response, http.StatusCreated, made)
}

func find(response http.ResponseWriter, request *http.Request) {
	order := strings.TrimPrefix(request.URL.Path, "/payments/")
	all, err := booked()
	if err != nil {
		answer(response, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	for _, each := range all {
		if each.Order == order {
			answer(response, http.StatusOK, each)
			return
		}
	}
	answer(response, http.StatusNotFound, map[string]string{"error": "no such payment"})
}

func main() {
	http.HandleFunc("/payments", create)
	http.HandleFunc("/payments/", find)
	listener, err := net.Listen("tcp", "127.0.0.1:"+argument(1, "9000"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}
